import { useId, useRef } from 'react'
import { isSingleKey, type Shortcut, useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import { Keys } from '#platform/ui/controls/key.tsx'
import { Switch } from '#platform/ui/controls/switch.tsx'
import { Dialog, DialogContent, DialogTitle } from '#platform/ui/overlays/dialog.tsx'
import { shortcutGroups } from './listed-shortcuts.ts'

interface ShortcutsDialogProps {
  open: boolean
  onClose(): void
}

/** The dialog that lists every shortcut, with the switch for single-key shortcuts. */
export function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps) {
  const singleKeys = useSingleKeys()
  const singleKeysSwitch = useId()
  const before = useRef<Element>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent
        className="max-w-[704px]"
        onOpenAutoFocus={(event) => {
          before.current = document.activeElement
          // The first control is at the bottom of the list, but reading starts at the top.
          event.preventDefault()
          if (event.target instanceof HTMLElement) event.target.focus({ preventScroll: true })
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (before.current instanceof HTMLElement) before.current.focus()
        }}
      >
        <DialogTitle>Keyboard shortcuts</DialogTitle>
        <p className="mt-1 hidden text-control text-ink-2 pointer-coarse:block">
          These work with a connected keyboard.
        </p>
        <div className="mt-4 gap-12 sm:columns-2">
          {shortcutGroups.map(({ name, shortcuts }) => (
            <Group key={name} name={name} shortcuts={shortcuts} singleKeysOn={singleKeys.on} />
          ))}
        </div>
        <label
          htmlFor={singleKeysSwitch}
          className="-mb-2 flex min-h-11 cursor-pointer items-center gap-4 border-line border-t pt-4 pb-2"
        >
          <span className="min-w-0 flex-1">
            <span className="block text-control font-medium">Single-key shortcuts</span>
            <span className="block text-small text-ink-2">Turn these off if you press them by accident.</span>
          </span>
          <Switch
            id={singleKeysSwitch}
            checked={singleKeys.on}
            onChange={(event) => singleKeys.set(event.currentTarget.checked)}
          />
        </label>
      </DialogContent>
    </Dialog>
  )
}

interface GroupProps {
  name: string
  shortcuts: readonly Shortcut[]
  singleKeysOn: boolean
}

function Group({ name, shortcuts, singleKeysOn }: GroupProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mb-5 break-inside-avoid">
      <h3 id={heading} className="text-control font-semibold">
        {name}
      </h3>
      <dl className="mt-1">
        {shortcuts.map((shortcut) => (
          <div key={shortcut.label} className="flex min-h-8 items-center justify-between gap-4 text-control">
            <dt className="min-w-0 text-ink-2">{shortcut.label}</dt>
            <dd className="flex shrink-0 items-center gap-2">
              {isSingleKey(shortcut) && !singleKeysOn && <span className="text-small text-ink-3">Off</span>}
              <Keys of={shortcut} className="pointer-coarse:inline-flex" />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
