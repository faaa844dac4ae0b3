import { useSyncExternalStore } from 'react'
import { formatLines } from '#features/imports/preview/web/format-fates.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import { type Halt, ImportRun, type ImportState } from './import-run.ts'
import type { ImportWork } from './import-work.ts'

/** The import of this account in this tab. It continues while the person is on another page. */
export function useImportRun(): { run: ImportRun; state: ImportState; choose(file: File): void } {
  const sync = useSync()
  const calendar = useUserCalendar()
  const today = useToday()
  const run = runs.get(sync) ?? startRun(sync)
  const state = useSyncExternalStore(run.subscribe, () => run.state)
  const choose = (file: File) => {
    if (run.state.step === 'writing') {
      toast.warning('An import is running', { description: 'Import this file when it is finished.' })
      return
    }
    void run.choose(file, { ...calendar, today, now: Date.now(), answers: {} })
  }
  return { run, state, choose }
}

const runs = new WeakMap<AccountSync, ImportRun>()

function startRun(sync: AccountSync): ImportRun {
  const run = new ImportRun(lateWork(sync), reportUnseen)
  runs.set(sync, run)
  return run
}

/** Loads the import code with the first file, because most visits to the settings do not need it. */
function lateWork(sync: AccountSync): ImportWork {
  let made: ImportWork | undefined
  const work = async () => {
    const { importWork } = await import('./import-work.ts')
    made ??= importWork({
      account: sync.account,
      reread: () => sync.reread(),
      withoutLiveUpdates: (writing) => sync.withoutLiveUpdates(writing),
    })
    return made
  }
  return {
    read: async (...given) =>
      work().then(
        ({ read }) => read(...given),
        () => ({ problem: "This file couldn't be read." }),
      ),
    compare: async (...given) => (await work()).compare(...given),
    write: async (...given) => (await work()).write(...given),
    rowsOf: async (...given) => (await work()).rowsOf(...given),
    end: () => made?.end(),
  }
}

function reportUnseen(state: Halt): void {
  switch (state.step) {
    case 'written': {
      const { lines = [] } = state
      if (state.problem === undefined)
        toast.success('Import finished', { description: formatLines(lines, 'after') })
      else toast.error('Import stopped', { description: state.problem })
      return
    }
    case 'failed':
      toast.error(`${state.file} can't be imported yet`, { description: state.problem })
      return
    case 'refused':
      toast.error(`${state.file} can't be imported`, { description: state.unreadable.problem })
      return
    default:
      toast(`${state.file} is ready to import`, {
        description: 'Nothing has been written yet. Go on in Settings.',
      })
  }
}
