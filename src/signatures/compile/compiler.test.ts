import { expect, test } from 'vitest'
import { type CompileOutcome, resultOf } from './compile-tasks.ts'
import { CompileThread, compileAside } from './compiler.ts'

/** A thread that exits, or uses up its memory, if the template says so. */
const standIn = `
  import { parentPort } from 'node:worker_threads'
  const kept = []
  parentPort.on('message', ({ number, task }) => {
    if (task.template.html === 'exit') process.exit(1)
    if (task.template.html === 'memory') for (;;) kept.push(Array(100_000).fill(0.5))
    parentPort.postMessage({ number, outcome: { compiled: { html: task.template.html } } })
  })`
const newThread = () => new CompileThread(new URL(`data:text/javascript,${encodeURIComponent(standIn)}`))

const run = (thread: CompileThread, html: string): Promise<CompileOutcome> =>
  thread.run({ kind: 'check', template: { html, text: null } })
const compiled = (html: string) => ({ compiled: { html } })

test.each([
  ['uses up the memory', 'memory', /needs too much memory: make its loops and lists shorter/],
  ['is killed', 'exit', /its thread ended/],
])(
  'if the thread %s, only its first template fails, and a new thread compiles the next',
  async (_, end, says) => {
    const thread = newThread()
    const first = await run(thread, 'a')
    const [failed, ...others] = await Promise.all([end, 'b', 'c'].map((html) => run(thread, html)))
    expect(() => resultOf(failed!)).toThrow(says)
    expect([first, ...others, await run(thread, 'd')]).toEqual(['a', 'b', 'c', 'd'].map(compiled))
  },
)

test('requests are answered while a heavy template compiles', async () => {
  const html = '{% for i in (1..1000) %}<b></b>{% endfor %}'
  let [turns, isDone] = [0, false]
  const compiling = compileAside('org', { html, text: null }, null)
    .catch((error) => error)
    .finally(() => {
      isDone = true
    })
  while (!isDone) {
    await new Promise(setImmediate)
    turns++
  }
  expect(await compiling).toHaveProperty('html')
  expect(turns).toBeGreaterThan(1)
})
