import { describe, expect, test } from 'vitest'
import { insertMemo as insert, openMemos } from '../../../test/support/memos.ts'
import { CommitUnknown } from './errors.ts'
import type { Statement } from './statement.ts'

const { database, memos } = await openMemos()

describe('statements that are sent together', () => {
  const together = database.unbound()
  const message = 'duplicate key'

  test('statements that are sent together commit together', async () => {
    await together.runTogether([insert(1), insert(2)])
    expect(await memos()).toEqual([1, 2])
  })

  test.each<[string, Statement<unknown>[]]>([
    ['of the first statement', [insert(1, 'kept', 5), insert(1), insert(2)]],
    ['of the last statement', [insert(2), insert(1), insert(1)]],
    ['at COMMIT', [insert(1, 'kept', 5), insert(2, 'kept', 5)]],
  ])(
    'a failure %s rolls back all statements, and the connection stays usable',
    async (_which, statements) => {
      await expect(together.runTogether(statements)).rejects.toThrow(message)
      expect(await memos()).toEqual([])
      await together.runTogether([insert(3)])
      expect(await memos()).toEqual([3])
    },
  )

  test('if one value cannot be serialized, no statement is sent', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(() => together.runTogether([insert(1), insert(2, 'kept', circle)])).toThrow(TypeError)
    expect(await memos()).toEqual([])
  })

  test('a connection that breaks throws CommitUnknown, because the statements may have taken effect', async () => {
    const kill = { text: 'select pg_terminate_backend(pg_backend_pid())', values: [] }
    for (const statements of [[insert(1), kill, insert(2)], [insert(1, 'killed at commit')]])
      await expect(together.runTogether(statements)).rejects.toBeInstanceOf(CommitUnknown)
    expect(await memos()).toEqual([])
    await together.runTogether([insert(3)])
    expect(await memos()).toEqual([3])
  })

  test('row-level security refuses statements unless one of them sets an organization', async () => {
    const orgId = '00000000-0000-7000-8000-000000000001'
    const write = {
      text: `insert into tracking_settings (org_id, retention_days) values ($1, 5)`,
      values: [orgId],
    }
    await expect(together.runTogether([write])).rejects.toThrow('row-level security')
    const bind = { text: `select set_config('app.org_id', $1, true)`, values: [orgId] }
    await together.runTogether([bind, write])
    await expect(together.runTogether([{ ...write, values: [orgId] }])).rejects.toThrow('row-level security')
  })
})
