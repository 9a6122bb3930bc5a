import { expect, onTestFinished, test, vi } from 'vitest'
import { openMemos } from '../../test/support/memos.ts'
import { DatabaseUnavailable } from './db/errors.ts'
import { createLog, loggedError, readable } from './log.ts'
import { databaseOutage, logOnceASecond } from './log-once-a-second.ts'

const { database } = await openMemos()

test('an error is logged with its causes, and without its connection and the values of rows', async () => {
  const duplicate = { text: `insert into pg_temp.once values ('planted')`, values: [] }
  const failed = await database
    .systemScope()
    .transact(async (tx) => {
      await tx.run({ text: 'create temp table once (value text primary key)', values: [] })
      await tx.run(duplicate)
      await tx.run(duplicate)
    })
    .catch((error: Error) => error)
  const wrapped = Object.assign(new Error('could not save', { cause: failed }), {
    client: { secretKey: 4711 },
  })
  expect(failed).toMatchObject({ detail: expect.stringContaining('planted') })
  const logged = loggedError(wrapped)
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'could not save',
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'DatabaseError', code: '23505', constraint: 'once_pkey' },
  })
  expect(JSON.stringify(logged)).not.toMatch(/planted|4711|secretKey/)
  expect(loggedError('thrown text')).toMatchObject({ message: 'thrown text' })
  expect(loggedError({ message: 'a plain object' })).toMatchObject({ message: 'a plain object' })
})

test('on a terminal the log has text instead of JSON, with the fields and the stack of an error', () => {
  const line = { level: 'warn', time: '2026-11-22T17:00:05.123Z', msg: 'It is tried again', port: 80 }
  expect(readable(JSON.stringify(line))).toBe('17:00:05 warn  It is tried again {"port":80}\n')
  const failed = {
    ...line,
    port: undefined,
    err: { type: 'Error', message: 'lost', stack: 'Error: lost\n    at a.ts:1' },
  }
  expect(readable(JSON.stringify(failed))).toBe(
    '17:00:05 warn  It is tried again\nError: lost\n    at a.ts:1\n',
  )
})

test.each(['{"level":"warn","time":"2026-11-2\n', '{ code: 1 }\n', 'Port 80 is taken\n', '12\n'])(
  'output that is not a line of the log, such as %j, stays as it is on a terminal',
  (text) => {
    expect(readable(text)).toBe(text)
  },
)

test('in an outage of the database, all requests and background tasks together log one line a second', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: object[] = []
  const log = createLog('warn', null, { write: (line) => void lines.push(JSON.parse(line)) })
  const error = new DatabaseUnavailable('The database cannot be reached')
  for (let n = 0; n < 500; n++) {
    log.warn({ err: error }, 'totals were not folded')
    log.child({}).error({ err: error, job: 'scan' }, 'a job could not be run')
    logOnceASecond(log, { request_id: 'r' }, databaseOutage)
    vi.advanceTimersByTime(4)
  }
  vi.advanceTimersByTime(5_000)
  log.warn({ err: new Error('another') }, 'one')
  log.warn({ err: new Error('another') }, 'two')
  expect(lines).toMatchObject([
    { level: 'warn', msg: 'totals were not folded', err: { type: 'DatabaseUnavailable' } },
    { level: 'error', msg: databaseOutage, failures: 749, reason: 'The database cannot be reached' },
    { level: 'error', msg: databaseOutage, failures: 750, reason: 'The database cannot be reached' },
    { msg: 'one' },
    { msg: 'two' },
  ])
})
