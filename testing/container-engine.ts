import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isIgnored, readContainerfile, type Stage, type Step } from './containerfile.ts'

// Builds what a Dockerfile says and runs it, in Docker where an engine answers, and otherwise by hand on Debian: a clean
// root file system, the steps in it one by one, and namespaces of the kernel for what is run.

export interface Engine {
  name: string
  /**
   * Builds the checkout; `say` hears what the steps say. With `packages`, a node_modules that is complete, the step that
   * installs them finds them done, as it would in a layer of before.
   */
  build(checkout: string, say: (text: string) => void, packages: string | undefined): Promise<Image>
}

export interface Image {
  /** At most: packed quickly, and with all layers. */
  compressedBytes(): Promise<number>
  /** Its files, below the folder. */
  files(folder: string): string[]
  /** Runs it read-only, without any capability, on data that stay for the next one. */
  run(): Promise<Container>
  remove(): void
}

export interface Container {
  /** A command inside it, as the user of the container; nothing is thrown when it fails. */
  exec(command: string[], env?: Record<string, string>): { status: number | null; said: string }
  healthy(env?: Record<string, string>): boolean
  /** All that it has written to its outputs. */
  said(): string
  /** Sends the signal that the image names; the exit code, once it has ended. */
  stop(): Promise<number | null>
}

/** Undefined where neither can be had, which is on anything but Debian, and there without root. */
export function findEngine(): Engine | undefined {
  if (spawnSync('docker', ['version', '--format', '{{.Server.Version}}']).status === 0) return docker
  const isDebian = existsSync('/etc/debian_version') && spawnSync('which', ['apt-get']).status === 0
  return isDebian && process.getuid?.() === 0 ? byHand : undefined
}

const authorities = '/etc/ssl/certs/ca-certificates.crt'

const docker: Engine = {
  name: 'Docker',
  async build(checkout, say) {
    const tag = `daymark-test-${crypto.randomUUID()}`
    // It has layers of its own.
    say(await command('docker', ['build', '--tag', tag, checkout]))
    const stages = readContainerfile(readFileSync(join(checkout, 'Dockerfile'), 'utf8'))
    const health = stepsOf(stages.at(-1), 'HEALTHCHECK').command
    return {
      compressedBytes: () => countBytes(`docker save ${tag} | gzip -1`),
      files: (folder) =>
        execFileSync('docker', ['run', '--rm', tag, 'find', folder, '-type', 'f', '-printf', '%P\\n'], {
          encoding: 'utf8',
          maxBuffer: 2 ** 26,
        }).split('\n'),
      run: () => runInDocker(tag, health),
      remove() {
        spawnSync('docker', ['volume', 'rm', '--force', tag])
        spawnSync('docker', ['image', 'rm', '--force', tag])
      },
    }
  },
}

async function runInDocker(tag: string, health: string[]): Promise<Container> {
  const confined = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges']
  const run = ['run', '--detach', '--network=none', ...confined, `--volume=${tag}:/data`, tag]
  const id = execFileSync('docker', run, { encoding: 'utf8' }).trim()
  const exec: Container['exec'] = (command, env = {}) => {
    const settings = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`)
    const { status, stdout, stderr } = spawnSync('docker', ['exec', ...settings, id, ...command], {
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  }
  return {
    exec,
    healthy: (env) => exec(health, env).status === 0,
    said() {
      const { stdout, stderr } = spawnSync('docker', ['logs', id], { encoding: 'utf8' })
      return stdout + stderr
    },
    async stop() {
      execFileSync('docker', ['stop', id])
      const code = execFileSync('docker', ['wait', id], { encoding: 'utf8' })
      execFileSync('docker', ['rm', id])
      return Number(code)
    },
  }
}

const byHand: Engine = {
  name: 'by hand',
  async build(checkout, say, packages) {
    const work = mkdtempSync(join(tmpdir(), 'daymark-container-'))
    try {
      const stages = readContainerfile(readFileSync(join(checkout, 'Dockerfile'), 'utf8'))
      const last = stages.at(-1)
      if (last === undefined) throw new Error('The Dockerfile has no FROM')
      const clean = await cleanRoot(stages, work, say)
      const roots = new Map<string, string>()
      for (const stage of stages) {
        const root = stage === last ? clean : join(work, `stage-${roots.size}`)
        if (root !== clean) await command('cp', ['-a', clean, root])
        if (stage.base.startsWith('node:')) putNode(root)
        if (stage.name !== undefined) roots.set(stage.name, root)
        if (stage === stages[0] && packages !== undefined)
          await putPackages(packages, join(root, folderOf(stage)))
        await carryOut(stage, root, checkout, roots, say)
      }
      for (const root of roots.values()) rmSync(root, { recursive: true })
      return imageByHand(work, clean, last)
    } catch (error) {
      rmSync(work, { recursive: true, force: true })
      throw error
    }
  },
}

/** Debian's smallest system, of the release that the images are named after. */
async function cleanRoot(stages: Stage[], work: string, say: (text: string) => void): Promise<string> {
  const releases = new Set(stages.map(({ base }) => /\b(bookworm|trixie)-slim$/.exec(base)?.[1]))
  const [release] = releases
  if (release === undefined || releases.size > 1) throw new Error('The stages are not of one Debian release')
  const needed = { mmdebstrap: 'mmdebstrap', ip: 'iproute2' }
  const missing = Object.entries(needed).filter(([tool]) => spawnSync('which', [tool]).status !== 0)
  if (missing.length > 0) {
    const packages = missing.map(([, name]) => name)
    say(await command('apt-get', ['update', '-q']))
    say(await command('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages]))
  }
  const root = join(work, 'root')
  say(await command('mmdebstrap', ['--quiet', '--variant=minbase', '--mode=root', release, root]))
  // The way to the machine's registries, which may go through something that only the machine trusts.
  for (const file of ['/etc/resolv.conf', authorities].filter((each) => existsSync(each))) {
    cpSync(realpathSync(file), join(root, file), { recursive: true })
  }
  return root
}

/** A Node and an npm as the machine has them, which is what images of Node are. */
function putNode(root: string): void {
  const own = join('node_modules', '.bin')
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes(own))
  const find = (name: string) => folders.map((folder) => join(folder, name)).find(existsSync)
  const npm = find('npm')
  if (npm === undefined) throw new Error('This machine has no npm')
  const bin = join(root, 'usr', 'local', 'bin')
  cpSync(realpathSync(find('node') ?? process.execPath), join(bin, 'node'))
  const package_ = dirname(dirname(realpathSync(npm)))
  cpSync(package_, join(root, 'usr', 'local', 'lib', 'node_modules', 'npm'), { recursive: true })
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm')])
}

/** Links, since they are many: nothing changes what is in them. */
async function putPackages(from: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const to = join(folder, 'node_modules')
  await command('cp', ['-al', from, to]).catch(async () => {
    rmSync(to, { recursive: true, force: true })
    await command('cp', ['-a', from, to])
  })
  for (const cache of ['.vite', '.vite-temp', '.cache'])
    rmSync(join(to, cache), { recursive: true, force: true })
}

async function carryOut(
  { steps }: Stage,
  root: string,
  checkout: string,
  roots: ReadonlyMap<string, string>,
  say: (text: string) => void,
): Promise<void> {
  let folder = '/'
  for (const step of steps) {
    if (step.kind === 'WORKDIR') {
      folder = step.folder
      mkdirSync(join(root, folder), { recursive: true })
    } else if (step.kind === 'RUN') {
      say(await insideOf(root, folder, step.command))
    } else if (step.kind === 'COPY') {
      const target = join(root, step.target.startsWith('/') ? '/' : folder, step.target)
      const stage = step.stage === undefined ? undefined : roots.get(step.stage)
      for (const source of step.sources) {
        if (stage !== undefined) await command('cp', ['-a', join(stage, source), target])
        else copyFromCheckout(checkout, source, target)
      }
    }
  }
}

function copyFromCheckout(checkout: string, source: string, target: string): void {
  const ignore = readFileSync(join(checkout, '.dockerignore'), 'utf8')
  const from = join(checkout, source)
  cpSync(from, source === '.' ? target : join(target, basename(source)), {
    recursive: true,
    filter: (path) => path === from || !isIgnored(ignore, relative(checkout, path)),
  })
}

function insideOf(root: string, folder: string, line: string): Promise<string> {
  const program = `mount -t proc proc "$1/proc" && exec chroot "$1" sh -ec "cd '$2' && $3"`
  const namespaces = [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    program,
    'sh',
    root,
    folder,
    line,
  ]
  return command('unshare', namespaces, {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: '/root',
    ...(existsSync(authorities) && { npm_config_cafile: authorities }),
  })
}

function imageByHand(work: string, root: string, stage: Stage): Image {
  const data = join(work, 'data')
  // A new volume begins as what the image has at its place.
  execFileSync('cp', ['-a', join(root, 'data'), data])
  const running = new Set<ChildProcess>()
  return {
    compressedBytes: () => countBytes(`tar --create --directory='${root}' . | gzip -1`),
    files: (folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name))),
    run: () => runByHand(root, data, stage, running),
    remove() {
      for (const child of running) child.kill('SIGKILL')
      rmSync(work, { recursive: true, force: true })
    },
  }
}

async function runByHand(
  root: string,
  data: string,
  stage: Stage,
  running: Set<ChildProcess>,
): Promise<Container> {
  const { uid, gid } = stepsOf(stage, 'USER')
  const image = Object.fromEntries(
    stage.steps.flatMap((step) => (step.kind === 'ENV' ? [[step.name, step.value]] : [])),
  )
  const confined = (words: string[], env: Record<string, string> = {}) => [
    ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'],
    ...[
      '--bounding-set=-all',
      '--inh-caps=-all',
      'env',
      '--ignore-environment',
      `--chdir=${folderOf(stage)}`,
    ],
    ...Object.entries({ ...image, ...env }).map(([name, value]) => `${name}=${value}`),
    ...words,
  ]
  const program = `
    ip link set lo up
    mount --bind "$1" "$1"
    mount -o remount,bind,ro "$1"
    mount --bind "$2" "$1/data"
    mount -t tmpfs tmpfs "$1/tmp"
    mount -t proc proc "$1/proc"
    root=$1; shift 2
    exec chroot "$root" "$@"`
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child']
  const child = spawn(
    'unshare',
    [...namespaces, 'sh', '-ec', program, 'sh', root, data, ...confined(stepsOf(stage, 'CMD').command)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  running.add(child)
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  while (!said.includes('Daymark is ready')) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${said}`)
    await pause(50)
  }
  const init = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  const exec: Container['exec'] = (words, env) => {
    const enter = [`--target=${init}`, '--all', '--root', '--wd']
    const { status, stdout, stderr } = spawnSync('nsenter', [...enter, ...confined(words, env)], {
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  }
  return {
    exec,
    healthy: (env) => exec(stepsOf(stage, 'HEALTHCHECK').command, env).status === 0,
    said: () => said,
    async stop() {
      const ended = once(child, 'exit')
      execFileSync('kill', ['-s', stepsOf(stage, 'STOPSIGNAL').signal.replace(/^SIG/, ''), init])
      await ended
      running.delete(child)
      return child.exitCode
    },
  }
}

function folderOf(stage: Stage): string {
  return stepsOf(stage, 'WORKDIR').folder
}

function stepsOf<const Kind extends Step['kind']>(
  stage: Stage | undefined,
  kind: Kind,
): Extract<Step, { kind: Kind }> {
  const found = stage?.steps.findLast((step): step is Extract<Step, { kind: Kind }> => step.kind === kind)
  if (found === undefined) throw new Error(`The last stage has no ${kind}`)
  return found
}

/** Answers what it says on both outputs; rejects with that when it fails. */
async function command(name: string, words: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn(name, words, {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ${words.join(' ')} ended with ${code}:\n${said}`)
  return said
}

async function countBytes(line: string): Promise<number> {
  const child = spawn('bash', ['-ec', `set -o pipefail; ${line} | wc -c`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${line} ended with ${code}`)
  return Number(said)
}
