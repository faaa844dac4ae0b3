export function copyText(text: string): void {
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).catch(() => copyBySelection(text))
    return
  }
  copyBySelection(text)
}

/** Plain http is no secure context and has no clipboard of its own. */
function copyBySelection(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  // An open dialog keeps the focus, and with it the selection, inside.
  const place = document.querySelector('[role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
