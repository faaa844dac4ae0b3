import type { ReactNode } from 'react'
import { cn } from '../class-names.ts'

interface PageProps {
  title: string
  subtitle: ReactNode
  /** The page's one action, to the right of its title. */
  action?: ReactNode
  /** 960 px wide, for cards side by side. */
  wide?: boolean
  /** Keeps room for a panel at the right edge of a wide window, whether the panel is open or not. */
  besidePanel?: boolean
  children: ReactNode
}

/** A column in the middle of the page, or 24 px left of a panel of 360 px, whichever is further left. */
export const columnBesidePanel =
  'mx-auto max-w-[768px] min-[1600px]:ml-[max(0px,min((100%-768px)/2,100%-1120px))]'

/** A signed-in page: a header, and below it one column of 768 px, or a wide one. */
export function Page({ title, subtitle, action, wide, besidePanel, children }: PageProps) {
  return (
    <div
      className={
        besidePanel
          ? // With room at the end, so that the last row can be scrolled free of toasts and of the bar of selected tasks.
            cn(columnBesidePanel, 'md:pb-22')
          : cn('mx-auto', wide ? 'max-w-[960px]' : 'max-w-[768px]')
      }
    >
      {/* On a phone the action is next to the title, and the subtitle has the whole line below. */}
      <header
        className={cn(
          'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-y-1',
          // On a narrow screen, the action of a wide page goes below the title.
          wide && 'max-lg:grid-cols-1',
        )}
      >
        <h1 tabIndex={-1} className="text-title wrap-anywhere outline-none max-md:grow">
          {title}
        </h1>
        <p className="col-start-1 mt-1 text-control text-ink-2 max-md:order-last max-md:mt-0 max-md:basis-full">
          {subtitle}
        </p>
        {action !== undefined && (
          <div
            className={cn(
              'col-start-2 row-span-2 row-start-1 max-md:shrink-0',
              wide &&
                'max-lg:col-start-1 max-lg:row-span-1 max-lg:row-start-3 max-lg:mt-3 max-md:order-last max-md:w-full',
            )}
          >
            {action}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}
