import { Bell, LucideProvider } from 'lucide-react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import drawnBy from './draw-icon.tsx'

test('an icon looks as its package draws it', async () => {
  // As a text, for its types leave out what the package's own components are made of.
  const source: string = 'lucide-react/icons/bell'
  const { __iconData }: { __iconData: Parameters<typeof drawnBy>[0] } = await import(source)
  const Drawn = drawnBy(__iconData)
  const markup = [Bell, Drawn].map((Icon) =>
    renderToStaticMarkup(
      <LucideProvider size={16} strokeWidth={1.5} absoluteStrokeWidth>
        <Icon />
        <Icon size={24} strokeWidth={2.5} />
      </LucideProvider>,
    ),
  )
  const [its, ours] = markup.map((text) =>
    [...text.matchAll(/<[^>]*>/g)].map(([tag]) =>
      (tag.match(/[\w-]+="[^"]*"/g) ?? []).filter((each) => !/^(class|xmlns)=/.test(each)).toSorted(),
    ),
  )
  expect(ours).toEqual(its)
})
