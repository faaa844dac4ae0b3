export function copyText(text: string): void {
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).catch(() => copyBySelection(text))
    return
  }
  copyBySelection(text)
}

/** Copies through a selection: plain http is not a secure context, so it has no Clipboard API. */
function copyBySelection(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  // An open dialog traps the focus, and the selection with it, so the text area has to be inside.
  const place = document.querySelector('[role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
