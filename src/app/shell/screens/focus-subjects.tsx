import { type ReactNode, useMemo } from 'react'
import { daysOfSessions, focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { type ShownSubject, type Subjects, SubjectsContext } from '#features/focus/subjects/web/subjects.ts'
import { countHabit } from '#features/habits/habit/counted-habit.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { habitSearch } from '#features/habits/habit/web/habit-search.ts'
import { useHabits } from '#features/habits/habit/web/use-habits.ts'
import { useHabitsDue } from '#features/habits/habit/web/use-habits-due.ts'
import { usePauses } from '#features/habits/pauses/web/use-pauses.ts'
import { badgeWords } from '#features/habits/rhythm/web/rhythm-words.ts'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { useTodoCommands } from '#features/todos/board/use-todo-commands.ts'
import { isDueBy } from '#features/todos/dates/due-by.ts'
import { timedFirst } from '#features/todos/dates/timed-first.ts'
import { listOf, todosShown } from '#features/todos/todo/in-list.ts'
import { listIdOf } from '#features/todos/todo/subtasks.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoSearch } from '#features/todos/todo/todo-search.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { addDays, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { formatRoundDuration } from '#platform/format/format-time.ts'
import { wantedOf } from '#platform/search/match.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'

const most = { offered: 6, todos: 5, habits: 3 }

/** Provides the to-dos and habits that the focus timer inside can be about. */
export function FocusSubjects({ children }: { children: ReactNode }) {
  return <SubjectsContext value={useFocusSubjects()}>{children}</SubjectsContext>
}

function useFocusSubjects(): Subjects {
  const { rows: todoRows, added } = useTodos()
  const todos = todoRows ?? added
  const { rows: lists = none } = useLists()
  const { rows: habits = none } = useHabits()
  const { rows: sessions = none } = useCollection(focusSessionCollection)
  const { due } = useHabitsDue()
  const pauses = usePauses()
  const today = useToday()
  const calendar = useUserCalendar()
  const { add } = useTodoCommands(todos)

  return useMemo(() => {
    const todoById = new Map(todos.map((todo) => [todo.id, todo]))
    const habitById = new Map(habits.map((habit) => [habit.id, habit]))
    const listById = new Map(lists.map((list) => [list.id, list]))
    const secondsOf = new Map<string, number>()
    for (const { todo_id, duration } of sessions) {
      if (todo_id !== null) secondsOf.set(todo_id, (secondsOf.get(todo_id) ?? 0) + duration)
    }
    const ofTodo = (todo: Todo): ShownSubject => {
      const list = listOf({ list_id: listIdOf(todo, todoById) }, listById)
      const seconds = secondsOf.get(todo.id)
      // The device stores only the sessions of the last `daysOfSessions` days. If the task was created within them, it has no
      // older sessions, so the sum is complete.
      const created = dayOf(instantFromWire(todo.created_at), calendar.timeZone, calendar.dayStart)
      const since = created > addDays(today, -daysOfSessions) ? 'so far' : 'in 30 days'
      return {
        subject: { todo_id: todo.id },
        title: todo.title,
        sign: list ? <ColorCircle color={list.color} /> : <NoListCircle />,
        note: seconds === undefined ? undefined : `${formatRoundDuration(seconds)} ${since}`,
      }
    }
    const ofHabit = (habit: HabitFacts): ShownSubject => {
      const counted = pauses && countHabit(habit, { today, calendar, pauses })
      return {
        subject: { habit_id: habit.id },
        title: habit.name,
        sign: <HabitSquare />,
        note: counted && badgeWords(counted.rhythm, counted.target, calendar.weekStart),
      }
    }
    return {
      of(subject) {
        if (!subject) return undefined
        const todo = 'todo_id' in subject ? todoById.get(subject.todo_id) : undefined
        if (todo) return ofTodo(todo)
        const habit = 'habit_id' in subject ? habitById.get(subject.habit_id) : undefined
        return habit && ofHabit(habit)
      },
      get today() {
        const tasks = todosShown(
          todos.filter((todo) => isDueBy(today, todo)),
          listById,
        )
        return {
          tasks: tasks.sort(timedFirst(today, calendar.timeZone)).slice(0, most.offered).map(ofTodo),
          habits: (due ?? [])
            .filter(({ count }) => !count.completed)
            .slice(0, most.offered)
            .map(({ habit }) => ofHabit(habit)),
        }
      },
      search(typed) {
        const wanted = wantedOf(typed)
        if (!wanted) return { tasks: [], habits: [] }
        const open = todos.filter(({ completed }) => completed === 0)
        return {
          tasks: todoSearch.best(open, wanted, most.todos).rows.map(ofTodo),
          habits: habitSearch.best(habits, wanted, most.habits).rows.map(ofHabit),
        }
      },
      add: async (title) => {
        const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
        return (await add({ id, title, due_day: today })) ? { todo_id: id } : undefined
      },
    }
  }, [todos, habits, lists, sessions, due, pauses, today, calendar, add])
}

const none: never[] = []

function NoListCircle() {
  return (
    <span aria-hidden="true" className="size-2 shrink-0 rounded-full shadow-[inset_0_0_0_1px_var(--edge)]" />
  )
}

function HabitSquare() {
  return (
    <span
      aria-hidden="true"
      className="size-2 shrink-0 rounded-[2px] shadow-[inset_0_0_0_1px_var(--ink-3)]"
    />
  )
}
