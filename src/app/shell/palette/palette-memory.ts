import * as z from 'zod/mini'
import type { DeviceValue } from '#platform/sync/collections/device-value.ts'

/** What was opened and done from the palette, the latest first, by the ids of its results. */
export interface PaletteMemory {
  opened: readonly string[]
  commands: readonly string[]
}

const storedSchema = z.object({ opened: z.array(z.string()), commands: z.array(z.string()) })

/** Of this person in this browser; it goes with them when they sign out. */
export const paletteMemory: DeviceValue<PaletteMemory> = {
  name: 'palette',
  parse: (stored) => storedSchema.safeParse(stored).data ?? { opened: [], commands: [] },
}

/** More than are shown: some of them may have been deleted since. */
const most = 20

export function withLatest(ids: readonly string[], id: string): string[] {
  return [id, ...ids.filter((each) => each !== id)].slice(0, most)
}
