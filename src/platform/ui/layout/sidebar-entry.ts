/** The look of a link in the sidebar. `data-over` marks the entry that would take what is being dragged. */
export const sidebarEntryLook = [
  'flex min-h-9 min-w-0 items-center gap-3 rounded-control px-3 py-1 text-control font-medium text-ink-2 transition-colors',
  'hover:bg-hover hover:text-ink pointer-coarse:min-h-11',
  'aria-[current=page]:bg-chosen aria-[current=page]:text-ink aria-[current=page]:ring aria-[current=page]:ring-chosen-line',
  'aria-[current=page]:[&>svg]:text-accent',
  'data-over:bg-hover data-over:text-ink data-over:ring-2 data-over:ring-accent',
].join(' ')
