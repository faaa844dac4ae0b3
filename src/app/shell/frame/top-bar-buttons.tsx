import { Moon, Search, Sun } from 'lucide-react'
import { useChooseTheme, useShownTheme } from '#platform/browser/device/theme.ts'
import { keyShortcutsOf, perform } from '#platform/browser/keyboard/shortcuts.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { Tooltip } from '#platform/ui/overlays/tooltip.tsx'
import { PaletteKeys } from '../palette/palette-keys.tsx'
import { openPalette } from '../shortcuts/palette-shortcuts.ts'

/** The buttons at the end of the top bar, and the palette that the search button opens. */
export function TopBarButtons() {
  return (
    <>
      <SearchButton />
      <ThemeButton />
      <PaletteKeys />
    </>
  )
}

/** Opens the palette; on a phone there is no key for it. */
function SearchButton() {
  return (
    <Tooltip
      label={
        <>
          Search <Keys of={openPalette} />
        </>
      }
    >
      {(anchor) => (
        <Button
          {...anchor}
          variant="icon"
          aria-label="Search"
          aria-haspopup="dialog"
          aria-keyshortcuts={keyShortcutsOf(openPalette)}
          onClick={() => perform(openPalette)}
          className="size-10"
        >
          <Search size={18} />
        </Button>
      )}
    </Tooltip>
  )
}

function ThemeButton() {
  const chooseTheme = useChooseTheme()
  const shown = useShownTheme()
  const other = shown === 'light' ? 'dark' : 'light'
  const label = `Switch to ${other} theme`
  return (
    <Tooltip label={label}>
      {(anchor) => (
        <Button
          {...anchor}
          variant="icon"
          aria-label={label}
          onClick={() => chooseTheme(other)}
          // On a narrow bar, the status of unsaved changes comes first.
          className="size-10 @max-[24rem]:group-has-data-said/bar:hidden"
        >
          {other === 'dark' ? <Moon size={18} /> : <Sun size={18} />}
        </Button>
      )}
    </Tooltip>
  )
}
