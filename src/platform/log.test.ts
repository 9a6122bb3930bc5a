import { expect, test } from 'vitest'
import { openNotes } from '../../test/support/notes.ts'
import { loggedError } from './log.ts'

const { database } = await openNotes()

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
})
