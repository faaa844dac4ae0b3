import { matchesGlob } from 'node:path'

export interface Stage {
  base: string
  name: string | undefined
  steps: Step[]
}

export type Step =
  | { kind: 'RUN'; command: string }
  | { kind: 'COPY'; stage: string | undefined; sources: string[]; target: string }
  | { kind: 'WORKDIR'; folder: string }
  | { kind: 'ENV'; name: string; value: string }
  | { kind: 'USER'; uid: number; gid: number }
  | { kind: 'CMD'; command: string[] }
  | { kind: 'HEALTHCHECK'; command: string[] }
  | { kind: 'STOPSIGNAL'; signal: string }
  | { kind: 'EXPOSE' | 'VOLUME' }

/** The words of a Dockerfile that ours uses. Throws at any other, so that none is passed over. */
export function readContainerfile(text: string): Stage[] {
  const stages: Stage[] = []
  for (const line of text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const [base = '', , name] = rest.split(/ (AS) /)
      stages.push({ base, name, steps: [] })
    } else {
      stages.at(-1)?.steps.push(stepOf(word, rest, line))
    }
  }
  return stages
}

function stepOf(word: string, rest: string, line: string): Step {
  switch (word) {
    case 'RUN':
      return { kind: word, command: rest }
    case 'COPY': {
      const [, stage, paths = ''] = /^(?:--from=(\S+) )?([^-].*)$/.exec(rest) ?? []
      const sources = paths.split(' ')
      return { kind: word, stage, target: sources.pop() ?? '', sources }
    }
    case 'WORKDIR':
      return { kind: word, folder: rest }
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(rest) ?? []
      if (name === '' || value.includes('$')) break
      return { kind: word, name, value }
    }
    case 'USER': {
      const [uid, gid] = rest.split(':').map(Number)
      if (!uid || !gid) break
      return { kind: word, uid, gid }
    }
    case 'CMD':
      return { kind: word, command: JSON.parse(rest) }
    case 'HEALTHCHECK':
      return { kind: word, command: JSON.parse(rest.replace(/^.*?CMD /, '')) }
    case 'STOPSIGNAL':
      return { kind: word, signal: rest }
    case 'EXPOSE':
    case 'VOLUME':
      return { kind: word }
  }
  throw new Error(`Not read here: ${line}`)
}

/** Whether a .dockerignore keeps a path of the checkout out. */
export function isIgnored(ignore: string, path: string): boolean {
  return ignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`))
}
