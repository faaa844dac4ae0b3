import { Link } from '@tanstack/react-router'

/** Links between the pages Today and Upcoming. */
export function DayPages() {
  return (
    <nav aria-label="Days" className="mt-4 flex max-md:mt-3">
      <ul className="flex min-h-10 flex-wrap rounded-large bg-track p-1 [list-style-type:''] pointer-coarse:min-h-11">
        <li className="flex">
          <Link to="/today" className={look}>
            Today
          </Link>
        </li>
        <li className="flex">
          <Link to="/upcoming" className={look}>
            Upcoming
          </Link>
        </li>
      </ul>
    </nav>
  )
}

const look = [
  'grid min-h-8 place-items-center rounded-control px-4 font-medium text-control text-ink-2 transition-colors hover:text-ink pointer-coarse:min-h-9',
  'aria-[current=page]:bg-chosen aria-[current=page]:text-ink aria-[current=page]:shadow-1 aria-[current=page]:ring aria-[current=page]:ring-chosen-line',
].join(' ')
