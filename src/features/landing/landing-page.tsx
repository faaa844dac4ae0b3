import { Link } from '@tanstack/react-router'
import { Beacon, FieldOfDays } from '#platform/ui/charts/field-of-days.tsx'
import { buttonLook } from '#platform/ui/controls/button.tsx'
import { Features } from './features.tsx'
import { LandingHeader, type Visitor } from './landing-header.tsx'

/** The app passes in the visitor, because this feature must not depend on the account feature. */
export function LandingPage({ visitor }: { visitor: Visitor }) {
  const start = visitor.status === 'signed-in' ? visitor.start : '/sign-up'
  return (
    // The layout depends on the available width in em, so larger text gets the layout of a smaller screen.
    <div className="@container flex min-h-dvh flex-col overflow-x-clip">
      <LandingHeader visitor={visitor} />
      <main className="grow">
        <Hero start={start} />
        <Features />
        <section className="border-line border-t bg-sunken px-4 py-18 text-center">
          <h2 className="text-balance text-number [font-size:min(2.5rem,20vw)]">
            Ready to Transform Your Habits?
          </h2>
          <Link className={buttonLook({ size: 'large', className: 'mt-6' })} to={start}>
            Get Started Now
          </Link>
        </section>
      </main>
      <footer className="mx-auto w-full max-w-[1184px] px-4 py-6 text-body text-ink-3 @3xl:px-8">
        © {new Date().getFullYear()} Daymark
      </footer>
    </div>
  )
}

function Hero({ start }: { start: '/todos' | '/today' | '/sign-up' }) {
  return (
    <section>
      <div className="mx-auto max-w-[1184px] px-4 pt-8 pb-41 @3xl:px-8 @3xl:pt-14 @3xl:pb-11">
        {/* At 360 px the first line only just fits, and is half a pixel too wide until the font is loaded. The margin makes
           room. */}
        <h1 className="-mr-2 text-balance text-hero-phone @5xl:text-hero">
          Build Better Habits,
          <br className="@max-[22.5rem]:hidden" /> One Day at a Time
        </h1>
        <p className="mt-5 max-w-[22em] text-body text-ink-2 @5xl:text-heading @5xl:font-normal @5xl:tracking-normal">
          Mark each day with one click. See the year take shape. Know what keeps you going.
        </p>
        <Link className={buttonLook({ size: 'large', className: 'mt-7' })} to={start}>
          Start Tracking Free
        </Link>
      </div>
      {/* `--today` is where today is drawn: below the middle of the third feature column. */}
      <div className="relative h-20 [--today:calc(100%-70px)] @3xl:h-25 @3xl:[--today:calc(50%+(min(1120px,100%-64px)+48px)/3)]">
        <Beacon className="absolute bottom-full left-(--today) w-23 -translate-x-1/2 @3xl:w-36 @5xl:w-46" />
        <div className="absolute inset-0 overflow-clip">
          <FieldOfDays rows={5} className="absolute top-0.5 left-(--today)" />
        </div>
      </div>
    </section>
  )
}
