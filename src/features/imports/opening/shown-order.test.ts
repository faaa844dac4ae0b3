import { expect, test } from 'vitest'
import type { OpenedFile } from '../reading/reading.ts'
import { readerContext } from '../testing/read.ts'
import { textFile } from '../testing/read-sample.ts'
import { csvFile } from '../testing/writers.ts'
import { readFile } from './read-file.ts'

const json = (value: unknown) => textFile(JSON.stringify(value))
const calendar = (...tasks: string[]) =>
  textFile(
    ['BEGIN:VCALENDAR', 'X-WR-CALNAME:Home', ...tasks, 'END:VCALENDAR', ''].flat().join('\r\n'),
    'home.ics',
  )
const vtodo = (title: string, ...lines: string[]) =>
  ['BEGIN:VTODO', `UID:${title}`, `SUMMARY:${title}`, ...lines, 'END:VTODO'].join('\r\n')
const entities = <Entity extends { id: string }>(all: readonly Entity[]) => ({
  ids: all.map(({ id }) => id),
  entities: Object.fromEntries(all.map((each) => [each.id, each])),
})
const vikunjaTask = (id: number, position?: number) => ({ id, title: `Task ${id}`, position })
const daily = (id: string) => ({ _id: id, text: id, history: [] })

/** Of each app a file in which things stand otherwise than the app shows them, and how it shows them. */
const files: [app: string, file: OpenedFile, shown: string[]][] = [
  [
    'TickTick, by Order',
    textFile(
      csvFile([
        ['Folder Name', 'List Name', 'Title', 'Status', 'Order', 'taskId', 'parentId'],
        ['', 'Home', 'Second', '0', '0', '1', ''],
        ['', 'Home', 'Without', '0', '', '2', ''],
        ['', 'Home', 'First', '0', '-1099511627776', '3', ''],
        ['', 'Home', 'Part 2', '0', '20', '4', '3'],
        ['', 'Home', 'Part 1', '0', '10', '5', '3'],
      ]),
    ),
    ['Home', 'First', 'Second', 'Without', 'Part 1', 'Part 2'],
  ],
  [
    'Super Productivity, by the tasks of a project and of a task',
    json({
      data: {
        project: entities([{ id: 'p', title: 'Home', taskIds: ['c', 'a'], backlogTaskIds: ['b'] }]),
        task: entities(
          [
            { id: 'a', title: 'Second', projectId: 'p' },
            { id: 'b', title: 'Backlog', projectId: 'p' },
            { id: 'c', title: 'First', projectId: 'p', subTaskIds: ['e', 'd'] },
            { id: 'd', title: 'Part 2', projectId: 'p', parentId: 'c' },
            { id: 'e', title: 'Part 1', projectId: 'p', parentId: 'c' },
          ].map((task) => ({ tagIds: [], timeSpentOnDay: {}, ...task })),
        ),
      },
    }),
    ['Home', 'First', 'Second', 'Backlog', 'Part 1', 'Part 2'],
  ],
  [
    'Google Tasks, by position, beyond what a number holds',
    json({
      kind: 'tasks#taskLists',
      items: [
        {
          title: 'Home',
          items: [
            { id: '1', title: 'Third', position: '09223372036854775807' },
            { id: '2', title: 'Second', position: '09223372036854775806' },
            { id: '3', title: 'First', position: '00000000000000000001' },
          ],
        },
      ],
    }),
    ['Home', 'First', 'Second', 'Third'],
  ],
  [
    'a calendar, by hand, else by the second of creation',
    calendar(
      vtodo('Second', 'CREATED:20260101T000000Z'),
      vtodo('Third', `X-APPLE-SORT-ORDER:${(Date.UTC(2026, 5) - Date.UTC(2001, 0)) / 1_000}`),
      vtodo('First', 'X-APPLE-SORT-ORDER:5', 'CREATED:20261001T000000Z'),
    ),
    ['Home', 'First', 'Second', 'Third'],
  ],
  [
    'a calendar without an order, as it is',
    calendar(vtodo('B', 'CREATED:20260201T000000Z'), vtodo('A', 'CREATED:20260101T000000Z')),
    ['Home', 'B', 'A'],
  ],
  [
    'Vikunja, by the positions of the list view, and projects as in the sidebar',
    json([
      { id: 3, title: 'Client', parent_project_id: 1, is_archived: false, position: 1, tasks: [] },
      {
        id: 2,
        title: 'Garden',
        is_archived: false,
        position: 200,
        views: [
          { id: 8, view_kind: 'kanban' },
          { id: 7, view_kind: 'list' },
        ],
        tasks: [vikunjaTask(10, 0), vikunjaTask(11, 0), vikunjaTask(12, 0)],
        positions: [
          { task_id: 10, project_view_id: 7, position: 300 },
          { task_id: 11, project_view_id: 7, position: 100 },
          { task_id: 12, project_view_id: 7, position: 200 },
          { task_id: 10, project_view_id: 8, position: 1 },
        ],
      },
      {
        id: 1,
        title: 'Work',
        is_archived: false,
        position: 100,
        tasks: [vikunjaTask(20, 65_536), vikunjaTask(21, 32_768)],
      },
      { id: 4, title: 'Circle', parent_project_id: 4, is_archived: false, position: 1, tasks: [] },
    ]),
    ['Work', 'Work / Client', 'Garden', 'Circle', 'Task 11', 'Task 12', 'Task 10', 'Task 21', 'Task 20'],
  ],
  [
    'tududi, by order',
    json({
      version: '1',
      data: {
        areas: [],
        projects: [],
        tags: [],
        tasks: [
          { uid: 'a', name: 'Task' },
          { uid: 'b', name: 'Part 2', order: 2, parent_task_uid: 'a' },
          { uid: 'c', name: 'Part 1', order: 1, parent_task_uid: 'a' },
        ],
      },
    }),
    ['Task', 'Part 1', 'Part 2'],
  ],
  [
    'Habitica, by tasksOrder',
    json({
      tasks: {
        habits: [daily('Water')],
        dailys: [daily('Read'), daily('Run')],
        rewards: [],
        todos: [
          { _id: 'b', text: 'Second' },
          { _id: 'a', text: 'First' },
        ],
      },
      tasksOrder: { habits: ['Water'], dailys: ['Run', 'Read'], todos: ['a', 'b'], rewards: [] },
    }),
    ['First', 'Second', 'Water', 'Run', 'Read'],
  ],
  [
    'Loop, by Position',
    textFile(
      csvFile([
        ['Position', 'Name', 'Description', 'NumRepetitions', 'Interval'],
        ['003', 'Third', '', '1', '1'],
        ['001', 'First', '', '1', '1'],
        ['002', 'Second', '', '1', '1'],
      ]),
      'Habits.csv',
    ),
    ['First', 'Second', 'Third'],
  ],
]

test.each(files)('what comes stands in the order of %s', (_, file, shown) => {
  const read = readFile(file, readerContext)
  if ('problem' in read) throw new Error(read.problem)
  const { lists, todos, habits } = read.reading
  expect([
    ...lists.map(({ name }) => name),
    ...todos.map(({ title }) => title),
    ...habits.map(({ name }) => name),
  ]).toEqual(shown)
})
