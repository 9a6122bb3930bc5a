import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Answer } from '../app.ts'
import { describeStepsAtOnce } from './describe-step.ts'
import type { DrivenOrg } from './driven-org.ts'
import { expectedRecord, expectedRows } from './expected.ts'
import type { NaiveOrg, Outcome, Step } from './naive-org.ts'
import { kinds } from './naive-rules.ts'
import { takeStep } from './naive-steps.ts'
import { type AnsweredStep, serialOrders } from './serial.ts'

/**
 * Sends steps at the same time. One order of them must explain the answers, the final records, and the records
 * after all undos.
 * @returns how many orders explain the answers, and how many of these also explain the records
 */
export async function sendStepsAtOnce(
  driven: DrivenOrg,
  steps: readonly Step[],
): Promise<{ orders: number; right: number }> {
  driven.tell(describeStepsAtOnce(steps))
  const answers = await Promise.all(
    steps.map(async (step) => ({ step, answer: await driven.requests.send(step) })),
  )
  const sent = answers.flatMap(({ step, answer }) => (answer ? [sentOf(driven, step, answer)] : []))
  const words = sent.map(({ word }) => word ?? 'refused').join(', ')
  const orders = serialOrders(driven.naive, sent)
  expect(orders.length, `${driven.history}no order has these answers: ${words}`).toBeGreaterThan(0)
  const likely = await matching(driven, orders, words)
  const right = await afterUndoing(driven, likely)
  return { orders: orders.length, right: right.length }
}

function sentOf({ requests, history }: DrivenOrg, step: Step, { status, body, text }: Answer): AnsweredStep {
  expect([200, 201, 404, 409, 422], `${history}${text}`).toContain(status)
  if (status >= 300) return { step, word: null }
  if (step.do === 'merge')
    for (const [index, each] of body.data.merges.entries()) requests.know(step.merges[index]!, each.merge_id)
  if (step.do === 'apply') requests.know(step.merge, body.data.merge_id)
  return { step, word: wordOfAnswer(step, body.data, requests.know.bind(requests)) }
}

function wordOfAnswer(
  step: Step,
  data: Record<string, unknown>,
  know: (name: string, id: string) => void,
): Outcome {
  if (step.do === 'note' || step.do === 'task') return 'created'
  if (step.do !== 'create' && step.do !== 'upsert')
    return step.do === 'archive' || step.do === 'restore' || step.do === 'close' || step.do === 'reopen'
      ? 'was'
      : 'done'
  const word = (data.outcome as string | undefined) ?? 'created'
  if (word === 'created') know(step.id, data[kinds[step.entity].idField] as string)
  return word
}

async function matching(driven: DrivenOrg, orders: readonly NaiveOrg[], words: string): Promise<NaiveOrg[]> {
  const shown = {
    records: withoutTimes(await driven.dump(undefined, true)),
    merges: withoutNames(await driven.rows()),
  }
  const expectedOf = (naive: NaiveOrg) => ({
    records: withoutTimes(
      Object.fromEntries(
        Object.entries(naive.shown()).map(([name, fields]) => [
          name,
          expectedRecord(naive, driven.requests, name, fields),
        ]),
      ),
    ),
    merges: withoutNames(expectedRows(naive)),
  })
  const found = orders.filter((naive) => isDeepStrictEqual(shown, expectedOf(naive)))
  if (found.length === 0)
    expect(shown, `${driven.history}${words}\nno order comes to this; one of them:`).toEqual(
      expectedOf(orders[0]!),
    )
  return found
}

type Records = Record<string, Record<string, unknown>>

/** Leaves out closing times, because they depend on the order. */
const withoutTimes = (records: Records): Records =>
  Object.fromEntries(
    Object.entries(records).map(([name, record]) => [
      name,
      'closed_at' in record ? { ...record, closed_at: record.closed_at !== null } : record,
    ]),
  )

/** Leaves out the names of absorbed records. */
const withoutNames = (rows: Records): Records =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { survivor_name: _survivor, loser_name: _loser, ...row }]) => [
      name,
      row,
    ]),
  )

/** The orders that also match the values after all undos. */
async function afterUndoing(driven: DrivenOrg, orders: readonly NaiveOrg[]): Promise<NaiveOrg[]> {
  const merges = orders[0]!.facts.merges.filter(({ status }) => status === 'applied').toReversed()
  let left = [...orders]
  for (const { entity, name: merge } of merges) {
    const step = { entity, do: 'undo' as const, merge }
    const { status } = (await driven.requests.send(step))!
    driven.tell(`${merge} is undone: ${status}`)
    left = left.filter((naive) => (takeStep(naive, step) !== null) === (status === 200))
    expect(left.length, driven.history).toBeGreaterThan(0)
  }
  return matching(driven, left, 'all undone')
}
