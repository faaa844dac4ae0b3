import { Fragment } from 'react'

/** Wraps behind its slashes where it is too long for a line. */
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
