import { useNavigate } from '@tanstack/react-router'
import { Hash, Plus, Timer } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { User } from '#features/account/session/user.ts'
import { useSignOut } from '#features/account/session/web/sign-out.tsx'
import { useDayActions } from '#features/habits/days/web/use-day-actions.ts'
import { countHabit, pausesOn } from '#features/habits/habit/counted-habit.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import { habitSearch } from '#features/habits/habit/web/habit-search.ts'
import { useHabits } from '#features/habits/habit/web/use-habits.ts'
import { usePauses } from '#features/habits/pauses/web/use-pauses.ts'
import { progressOf } from '#features/habits/rhythm/web/rhythm-words.ts'
import type { List } from '#features/lists/list/list.ts'
import { listSearch } from '#features/lists/list/web/list-search.ts'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { useTodoCommands } from '#features/todos/board/use-todo-commands.ts'
import { longestSearch } from '#features/todos/completed/completed-search.ts'
import { formatDone } from '#features/todos/completed/web/format-done.ts'
import { useOlderCompleted, useSettled } from '#features/todos/completed/web/use-older-completed.ts'
import { formatDue } from '#features/todos/dates/web/format-due.ts'
import { TypedTaskParts, useTypedTask } from '#features/todos/quick-add/field/typed-task.tsx'
import { type SearchedTag, tagSearch } from '#features/todos/tags/web/tag-search.ts'
import { useTagsInUse } from '#features/todos/tags/web/use-tags-in-use.ts'
import { listOf } from '#features/todos/todo/in-list.ts'
import { listIdOf } from '#features/todos/todo/subtasks.ts'
import { tagKey } from '#features/todos/todo/tags.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoSearch } from '#features/todos/todo/todo-search.ts'
import { newTask } from '#features/todos/todo/web/todo-shortcuts.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { perform } from '#platform/browser/keyboard/shortcuts.ts'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import { useStartTimer } from '#platform/browser/start-timer.ts'
import { dayNumber, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { areFound, type Wanted, wantedOf } from '#platform/search/match.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useDeviceValue } from '#platform/sync/react/use-device-value.ts'
import { type Command, commandSearch } from '#platform/ui/command.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import {
  type ResultGroup,
  SearchContent,
  SearchDialog,
  type SearchResult,
  TickSign,
} from '#platform/ui/search/search-dialog.tsx'
import { usePreparedSearch } from '#platform/ui/search/use-prepared-search.ts'
import { showShortcuts } from '../shortcuts/shell-shortcuts.ts'
import { type PaletteMemory, paletteMemory, withLatest } from './palette-memory.ts'
import { useCommands } from './use-commands.ts'

interface PaletteProps {
  user: User
  open: boolean
  onClose(): void
}

/** Finds everything that is stored on this device, and runs every command of the app. */
export function Palette({ user, open, onClose }: PaletteProps) {
  const { signOut, question } = useSignOut(user)
  return (
    <>
      <SearchDialog label="Search" open={open} onClose={onClose}>
        {(closeThen) => <Content signOut={signOut} closeThen={closeThen} />}
      </SearchDialog>
      {question}
    </>
  )
}

const most = { todos: 5, habits: 3, lists: 3, tags: 3, commands: 5, opened: 5 }

interface ContentProps {
  signOut(): void
  closeThen(then: () => void): void
}

function Content({ signOut, closeThen }: ContentProps) {
  const findable = useFindable(signOut)
  usePreparedSearch(todoSearch, findable.todos)
  return <WithOlder findable={findable} closeThen={closeThen} />
}

/** Adds what the server alone has. Renders once the typed text has settled, and not with each letter. */
function WithOlder({ findable, closeThen }: Omit<SearchProps, 'older' | 'settle'>) {
  const [settled, settle] = useState('')
  const older = useOlderCompleted(settled, findable.todos)
  return <Search findable={findable} closeThen={closeThen} older={older} settle={settle} />
}

type Findable = ReturnType<typeof useFindable>
type FindableCommand = Findable['commands'][number]

/** Everything that can be found and done, independent of the typed text, so that typing does not compute it again. */
function useFindable(signOut: () => void) {
  const { rows: todoRows, added, problem: todosProblem } = useTodos()
  const todos = todoRows ?? added
  const { rows: habitRows, problem: habitsProblem } = useHabits()
  const habits = habitRows ?? none
  const { rows: listRows } = useLists()
  const lists = listRows ?? none
  const { tags: tagsInUse } = useTagsInUse()
  const tags = useMemo(() => tagsInUse.map((tag) => ({ tag })), [tagsInUse])
  const todoCommands = useTodoCommands(todos)
  return {
    todos,
    habits,
    lists,
    tags,
    todoCommands,
    // A collection that failed to load counts as known, so that nothing waits for it.
    areKnown: {
      todos: todoRows !== undefined || todosProblem !== undefined,
      habits: habitRows !== undefined || habitsProblem !== undefined,
      lists: listRows !== undefined,
    },
    memory: useDeviceValue(paletteMemory),
    commands: useCommands(signOut).map((command) => ({ ...command, result: resultOfCommand(command) })),
    resultOf: useResults({ todos, habits, lists, tags, tick: todoCommands.tick }),
    openLists: useMemo(() => lists.filter(({ archived_at }) => archived_at === null), [lists]),
    services: useScreenServices(),
    startTimer: useStartTimer(),
  }
}

interface SearchProps {
  findable: Findable
  older: ReturnType<typeof useOlderCompleted>
  settle(text: string): void
  closeThen(then: () => void): void
}

function Search({ findable, closeThen, older, settle }: SearchProps) {
  const { todos, habits, lists, tags, areKnown, commands, resultOf, openLists } = findable
  const { todoCommands, services, startTimer } = findable
  const { value: memory, change: remember } = findable.memory
  const [typed, setTyped] = useState('')
  const wanted = useMemo(() => wantedOf(typed), [typed])
  useSettled(typed, settle)
  const navigate = useNavigate()
  const today = useToday()

  const remembering = (part: keyof PaletteMemory, result: SearchResult): SearchResult => ({
    ...result,
    open() {
      // If the id cannot be stored, only a shortcut is lost, and a device that can store nothing has already told the person.
      remember((kept) => ({ value: { ...kept, [part]: withLatest(kept[part], result.id) } })).catch(() => {})
      result.open()
    },
  })
  const opened = (result: SearchResult) => remembering('opened', result)
  const commandResult = ({ result }: FindableCommand) => remembering('commands', result)

  // Memoized, so that a response from the server does not repeat the search.
  const found = useMemo(
    () =>
      wanted && {
        todos: todoSearch.best(todos, wanted, most.todos),
        habits: habitSearch.best(habits, wanted, most.habits),
        lists: listSearch.best(lists, wanted, most.lists),
        tags: tagSearch.best(tags, wanted, most.tags),
      },
    [wanted, todos, habits, lists, tags],
  )
  const typedTask = useTypedTask(typed.trim(), openLists)
  const addTyped = async () => {
    const { task, newList } = typedTask
    const list = newList === undefined ? undefined : await services.makeList(newList)
    const added = await todoCommands.add(task, list)
    if (added && task.reminder) services.onReminderSet()
  }

  const groups: ResultGroup[] = []
  let count = 0
  let arriving = false
  const take = (
    name: string,
    results: readonly SearchResult[],
    { of = results.length, isKnown = true } = {},
  ) => {
    count += of
    if (groups.length === 0 && !isKnown) arriving = true
    if (results.length > 0) groups.push({ name, results })
  }
  if (wanted && found) {
    const { todos, habits, lists, tags } = found
    const tasks = todos.rows.map((todo) => resultOf.todo(todo, wanted)).map(opened)
    take('Tasks', tasks, { of: todos.count, isKnown: areKnown.todos })
    const ofHabits = habits.rows.map(resultOf.habit).map(opened)
    take('Habits', ofHabits, { of: habits.count, isKnown: areKnown.habits })
    const ofLists = lists.rows.map(resultOf.list).map(opened)
    take('Lists', ofLists, { of: lists.count, isKnown: areKnown.lists })
    take('Tags', tags.rows.map(resultOf.tag).map(opened), { of: tags.count })
    const actions = commandSearch.best(commands, wanted, most.commands - 1).rows.map(commandResult)
    const [task] = todos.rows.filter(({ completed }) => completed === 0)
    const [habit] = habits.rows
    const timed: SearchResult[] =
      task || habit
        ? [
            {
              id: 'start-timer-for',
              sign: timerSign,
              title: `Start the timer for “${task?.title ?? habit?.name}”`,
              isOffer: true,
              open() {
                if (task) startTimer({ todo_id: task.id })
                else if (habit) startTimer({ habit_id: habit.id })
              },
            },
          ]
        : []
    // Whether the typed text says more about the task than its title.
    const says = typedTask.newList !== undefined || Object.keys(typedTask.task).length > 1
    const add: SearchResult = {
      id: 'add',
      sign: addSign,
      title: `Add the task “${typedTask.task.title}”`,
      isOffer: true,
      below: says && <TypedTaskParts {...typedTask} lists={openLists} />,
      shortcut: newTask,
      open: () => void addTyped(),
    }
    take('Actions', [...actions, ...timed, add], { of: actions.length })
    take(
      'Older completed tasks',
      older
        .olderFor(typed)
        .slice(0, most.todos)
        .map(({ key, title, day }) => ({
          id: `older:${key}`,
          sign: ticked,
          title,
          isDone: true,
          place: formatDone(day, today),
          open: () => void navigate({ to: '/todos/completed', search: { search: title } }),
        })),
    )
  } else {
    const recent = (memory?.opened ?? []).flatMap((id) => resultOf.id(id) ?? [])
    take('Recent', recent.slice(0, most.opened).map(opened))
    const used = memory?.commands ?? []
    const placeOf = ({ id }: FindableCommand) => (used.includes(id) ? used.indexOf(id) : used.length)
    take('Actions', commands.toSorted((one, other) => placeOf(one) - placeOf(other)).map(commandResult))
  }

  return (
    <SearchContent
      label="Search"
      typed={typed}
      onType={setTyped}
      longest={longestSearch}
      wanted={wanted}
      groups={groups}
      arriving={arriving}
      count={wanted ? counted(count, 'result') : ''}
      note={wanted && !older.reached && 'Only what this device keeps'}
      help={{ shortcut: showShortcuts, words: 'all keys', show: () => perform(showShortcuts) }}
      closeThen={closeThen}
    />
  )
}

const none: never[] = []

// Constant elements, so that they do not render again with every letter.
const ticked = <TickSign done />
const unticked = <TickSign done={false} />
const timerSign = <Timer size={18} />
const addSign = <Plus size={18} />
const tagSign = <Hash size={18} />

function resultOfCommand({ id, label, icon: Icon, shortcut, run }: Command): SearchResult {
  return {
    id,
    sign: <Icon size={18} />,
    title: label,
    ...(shortcut && { shortcut }),
    open: run,
  }
}

interface ResultParts {
  todos: readonly Todo[]
  habits: readonly HabitFacts[]
  tags: readonly SearchedTag[]
  lists: readonly List[]
  tick(todo: Todo): void
}

/** How each kind of row is shown among the results, and what opening it does. */
function useResults({ todos, habits, lists, tags, tick }: ResultParts) {
  const navigate = useNavigate()
  const today = useToday()
  const calendar = useUserCalendar()
  const { timeZone, dayStart } = calendar
  const pauses = usePauses() ?? none
  const habitActions = useDayActions()
  const offerUndo = useOfferUndo()
  const todoById = useMemo(() => new Map(todos.map((todo) => [todo.id, todo])), [todos])
  const listById = useMemo(() => new Map(lists.map((list) => [list.id, list])), [lists])
  const resultOf = {
    todo(todo: Todo, wanted?: Wanted): SearchResult {
      const list = listOf({ list_id: listIdOf(todo, todoById) }, listById)
      const isDone = todo.completed === 1
      const doneDay =
        todo.completed_at === null ? undefined : dayOf(instantFromWire(todo.completed_at), timeZone, dayStart)
      return {
        id: `todo:${todo.id}`,
        sign: isDone ? ticked : unticked,
        title: todo.title,
        isDone,
        place: (
          <>
            {wanted && <FoundIn todo={todo} wanted={wanted} />}
            {isDone && doneDay && formatDone(doneDay, today)}
            {!isDone && todo.due_day !== null && <span>{formatDue(todo.due_day, today)}</span>}
            {list && <ListName list={list} />}
          </>
        ),
        open() {
          const search = { task: todo.id }
          const state = { detailsAt: 'title' } as const
          if (list) void navigate({ to: '/lists/$id', params: { id: list.id }, search, state })
          else void navigate({ to: '/todos', search, state })
        },
        tick: () => tick(todo),
      }
    },
    habit(habit: HabitFacts): SearchResult {
      const counted = { today, calendar, pauses }
      const { completed, track, now } = countHabit(habit, counted)
      const isPaused = pausesOn(habit, counted).length > 0
      const progress = isPaused ? undefined : progressOf(now, track.amounts.get(dayNumber(today)) ?? null)
      return {
        id: `habit:${habit.id}`,
        sign: completed ? ticked : unticked,
        title: habit.name,
        place: progress
          ? progress.reached + progress.after
          : `Habit${completed ? ', done' : isPaused ? ', paused' : ''}`,
        open: () => void navigate({ to: '/habits', search: { habit: habit.id } }),
        tick() {
          habitActions.completeToday(habit, !completed, today)
          offerUndo(completed ? 'Habit reopened' : 'Habit completed', {
            row: { list: habitCollection.name, subject: habit.id },
            description: habit.name,
          })
        },
      }
    },
    list: (list: List): SearchResult => ({
      id: `list:${list.id}`,
      sign: <ColorCircle color={list.color} />,
      title: list.name,
      place: list.archived_at === null ? 'List' : 'Archived list',
      open: () => void navigate({ to: '/lists/$id', params: { id: list.id } }),
    }),
    tag: ({ tag }: SearchedTag): SearchResult => ({
      id: `tag:${tagKey(tag)}`,
      sign: tagSign,
      title: tag,
      place: 'Tag',
      open: () => void navigate({ to: '/tags/$tag', params: { tag } }),
    }),
  }
  /** The result for a remembered id; undefined if its row is gone. */
  const resultOfId = (id: string): SearchResult | undefined => {
    const key = id.slice(id.indexOf(':') + 1)
    const todo = id.startsWith('todo:') && todoById.get(key)
    if (todo) return resultOf.todo(todo)
    const list = id.startsWith('list:') && listById.get(key)
    if (list) return resultOf.list(list)
    const habit = id.startsWith('habit:') && habits.find((each) => each.id === key)
    if (habit) return resultOf.habit(habit)
    const tag = id.startsWith('tag:') && tags.find((each) => tagKey(each.tag) === key)
    return tag ? resultOf.tag(tag) : undefined
  }
  return { ...resultOf, id: resultOfId }
}

/** Shows where the words that are not in the title were found. */
function FoundIn({ todo: { title, tags }, wanted }: { todo: Todo; wanted: Wanted }) {
  if (areFound(wanted, title)) return null
  const signed = tags.map((tag) => `#${tag}`)
  return areFound(wanted, title, ...signed) ? <bdi>{signed.join(' ')}</bdi> : 'In the note'
}

function ListName({ list }: { list: List }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <ColorCircle color={list.color} />
      <bdi className="min-w-0 wrap-anywhere">{list.name}</bdi>
    </span>
  )
}
