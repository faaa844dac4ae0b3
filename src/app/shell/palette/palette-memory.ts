import * as z from 'zod/mini'
import type { DeviceValue } from '#platform/sync/collections/device-value.ts'

/** The ids of results opened and commands run from the palette, the latest first. */
export interface PaletteMemory {
  opened: readonly string[]
  commands: readonly string[]
}

const storedSchema = z.object({ opened: z.array(z.string()), commands: z.array(z.string()) })

/** The palette memory of this person in this browser; a sign-out removes it. */
export const paletteMemory: DeviceValue<PaletteMemory> = {
  name: 'palette',
  parse: (stored) => storedSchema.safeParse(stored).data ?? { opened: [], commands: [] },
}

/** More entries than are shown, since some may have been deleted since. */
const most = 20

export function withLatest(ids: readonly string[], id: string): string[] {
  return [id, ...ids.filter((each) => each !== id)].slice(0, most)
}
