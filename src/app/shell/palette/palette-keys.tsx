import { use, useState } from 'react'
import { ShownUserContext } from '#features/account/session/web/session.ts'
import { useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { searchScreen } from '#platform/ui/search/search-shortcuts.ts'
import { openPalette } from '../shortcuts/palette-shortcuts.ts'

/** Opens the palette by its keys, or when another part requests it. A screen with a search of its own handles `/` instead. */
export function PaletteKeys() {
  const user = use(ShownUserContext)
  const [open, setOpen] = useState(false)
  const Palette = usePart(LazyPalette, open)
  const show = () => setOpen(true)
  useShortcut(openPalette, show)
  useShortcut(searchScreen, show, { otherwise: true })
  if (!Palette || !user) return null
  return <Palette user={user} open={open} onClose={() => setOpen(false)} />
}

const LazyPalette = lazyPart(() => import('./palette.tsx'), 'Palette', 'after the screen')
