interface HiddenTableProps {
  caption: string
  head: readonly string[]
  rows: readonly { about: string; cells: readonly (string | number)[] }[]
}

/**
 * The contents of a chart for people who cannot see it. The box is needed: even a visually hidden table is as wide as its
 * text, and would make a narrow screen scroll sideways.
 */
export function HiddenTable({ caption, head, rows }: HiddenTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ about, cells }) => (
            <tr key={about}>
              <th scope="row">{about}</th>
              {cells.map((cell, place) => (
                <td key={head[place + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
