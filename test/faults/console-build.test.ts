import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ConsoleBuild } from '../../src/console/build.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { patience } from '../support/patience.ts'

const roots: string[] = []
const servers: ChildProcess[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A copy of the project in which npm or Vite hangs for three minutes, and writes its process id into a file. */
function projectWhich(hangs: 'npm' | 'vite') {
  const root = mkdtempSync(join(tmpdir(), 'crosswalk-build-'))
  roots.push(root)
  for (const folder of ['bin', 'scripts', 'sdk/src', 'console/node_modules/vite/bin'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const name of ['build-console.mjs', 'npm.mjs'])
    cpSync(join(projectRoot, 'scripts', name), join(root, 'scripts', name))
  writeFileSync(join(root, 'console/package-lock.json'), '{}')
  const pidFile = join(root, 'pid')
  const hang = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setTimeout(() => {}, 180_000)`
  const npm = join(root, 'bin/npm')
  writeFileSync(npm, `#!${process.execPath}\n${hangs === 'npm' ? hang : ''}\n`)
  chmodSync(npm, 0o755)
  writeFileSync(join(root, 'console/node_modules/vite/bin/vite.js'), hang)
  const startedPid = async () => {
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', patience).toBe(true)
    return Number(readFileSync(pidFile, 'utf8'))
  }
  return { root, startedPid }
}

/** A server that only builds the console, and logs warnings to its standard error. SIGUSR2 stops it properly. */
function serve(root: string): ChildProcess {
  const from = (path: string) => JSON.stringify(join(projectRoot, path))
  const program = `
    import { ConsoleBuild } from ${from('src/console/build.ts')}
    import { createLog } from ${from('src/platform/log.ts')}
    const build = new ConsoleBuild(createLog('warn'), true, ${JSON.stringify(root)})
    process.once('SIGUSR2', () => build.stop())
    await build.start()`
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: `${join(root, 'bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  servers.push(server)
  return server
}

test.each([
  ['npm', 'SIGKILL'],
  ['npm', 'SIGUSR2'],
  ['vite', 'SIGKILL'],
  ['vite', 'SIGUSR2'],
] as const)(
  '%s ends when the server that builds the console gets %s, and the server logs no failed build',
  async (hangs, signal) => {
    const { root, startedPid } = projectWhich(hangs)
    const server = serve(root)
    const pid = await startedPid()
    let logged = ''
    server.stderr?.on('data', (piece) => {
      logged += piece
    })
    const closed = once(server, 'close')
    server.kill(signal)
    await closed
    await expect.poll(() => isAlive(pid), patience).toBe(false)
    expect(logged).toBe('')
  },
)

test('a server stops after the kernel has killed the build of its console', async () => {
  const { root } = projectWhich('vite')
  writeFileSync(join(root, 'scripts/build-console.mjs'), "process.kill(process.pid, 'SIGKILL')")
  const build = new ConsoleBuild(createLog('silent'), true, root)
  await build.start()
  expect(build.current).toMatchObject({ state: 'failed' })
  await build.stop()
})

test('two servers that start at once build the console once, and both have it', async () => {
  const { root } = projectWhich('vite')
  const runs = join(root, 'runs')
  writeFileSync(
    join(root, 'console/node_modules/vite/bin/vite.js'),
    `const fs = require('node:fs')
     const out = process.argv[process.argv.indexOf('--outDir') + 1]
     fs.appendFileSync(${JSON.stringify(runs)}, 'x')
     fs.mkdirSync(out + '/assets', { recursive: true })
     fs.writeFileSync(out + '/assets/index.js', 'let a')
     fs.writeFileSync(out + '/index.html', '<div id="root">')`,
  )
  const codes = await Promise.all(
    [0, 1].map(async () => {
      const builder = spawn(process.execPath, [join(root, 'scripts/build-console.mjs')], {
        env: { PATH: `${join(root, 'bin')}:${process.env.PATH}` },
        stdio: 'ignore',
      })
      return (await once(builder, 'exit'))[0]
    }),
  )
  expect(codes).toEqual([0, 0])
  expect(readFileSync(runs, 'utf8')).toBe('x')
  expect(existsSync(join(root, 'console/dist/assets/index.js.br'))).toBe(true)
})
