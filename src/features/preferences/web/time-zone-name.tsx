import { Fragment } from 'react'

/** Wraps after a slash if it is too long for one line. */
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
