interface HiddenTableProps {
  caption: string
  head: readonly string[]
  rows: readonly { about: string; cells: readonly (string | number)[] }[]
}

/**
 * What a picture shows, for those who do not see it. In a box: by itself a table is as wide as its words, out of sight or
 * not, and would make a narrow screen scroll sideways.
 */
export function HiddenTable({ caption, head, rows }: HiddenTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((words) => (
              <th key={words} scope="col">
                {words}
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
