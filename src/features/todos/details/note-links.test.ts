import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { partsOfNote } from './note-links.ts'

const linksIn = (note: string) => partsOfNote(note).flatMap(({ href }) => href ?? [])

describe('links in a note', () => {
  it('a web address can be pressed, the words around it stay words', () => {
    expect(partsOfNote('See https://example.org/paint?x=1 first.')).toEqual([
      { text: 'See ' },
      { text: 'https://example.org/paint?x=1', href: 'https://example.org/paint?x=1' },
      { text: ' first.' },
    ])
  })

  it.each([
    ['(https://example.org/a)', 'https://example.org/a'],
    ['https://example.org/a_(b).', 'https://example.org/a_(b)'],
    ['www.example.org, or so', 'https://www.example.org/'],
    ['mailto:maren@example.org', 'mailto:maren@example.org'],
    ['https://müller.example/ä', 'https://xn--mller-kva.example/%C3%A4'],
  ])('%s', (note, href) => {
    expect(linksIn(note)).toEqual([href])
  })

  it.each(['javascript:alert(1)', 'xhttps://example.org', 'https://', 'file:///etc', 'http://nowhere'])(
    '%s is no link',
    (note) => {
      expect(linksIn(note)).toEqual([])
    },
  )

  it('no letter is lost, whatever the note', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('https://a.b/c', 'www.x.y', ').', ' ', '\n'))
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const note = words.join('')
        expect(
          partsOfNote(note)
            .map(({ text }) => text)
            .join(''),
        ).toBe(note)
      }),
      { numRuns: runs(10_000, 100) },
    )
  })
})
