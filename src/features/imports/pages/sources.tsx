import { howToExport } from './how-to-export.ts'

/** The apps from which files can be imported, and how to get the file out of each. */
export function Sources() {
  return (
    <dl className="text-control">
      {howToExport.map(({ source, name, how }) => (
        <div
          key={source}
          className="grid gap-x-4 py-2 shadow-[inset_0_1px_0_var(--line)] @[36rem]:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <dt className="font-medium">{name}</dt>
          <dd className="text-ink-2">{how}</dd>
        </div>
      ))}
    </dl>
  )
}
