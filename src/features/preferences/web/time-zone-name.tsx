import { Fragment } from 'react'

/** The name of a time zone, which may wrap after a slash. */
export function TimeZoneName({ children }: { children: string }) {
  return children.split('/').map((part, index) => (
    <Fragment key={part}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))
}
