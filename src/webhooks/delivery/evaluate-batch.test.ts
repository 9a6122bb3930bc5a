import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateBatch, type Health, healthy, type TriedItem } from './evaluate-batch.ts'
import { type AnswerMeaning, meaningOfStatus } from './outcome.ts'
import type { Trial } from './send.ts'

const now = 1_800_000_000_000
const [hour, day] = [3_600_000, 86_400_000]

type Answer = number | 'lost' | 'unsent'

const trialOf = (answer: number | 'lost', retryAfter?: number): Trial => {
  const status = answer === 'lost' ? null : answer
  const texts = { error: null, excerpt: null, retryAfter }
  return { meaning: meaningOfStatus(status), status, ...texts, startedAt: now, durationMs: 5 }
}

function evaluated(
  answers: readonly Answer[],
  before: Partial<Health> = {},
  more: { waiting?: number; tries?: number; retryAfter?: number } = {},
) {
  const { waiting = 0, tries = 0, retryAfter } = more
  const results = answers.map((answer, index) => ({
    item: { eventId: `event-${index}`, objectId: null, tries } satisfies TriedItem,
    trial: answer === 'unsent' ? null : trialOf(answer, retryAfter),
  }))
  const {
    health,
    stops,
    results: after,
  } = evaluateBatch({ ...healthy, ...before }, results, { now, waiting, random: () => 0.5 })
  return { health, stops, decisions: after.map(({ decision }) => decision.kind) }
}

describe('a batch', () => {
  test.each<[string, Answer[], string[], boolean]>([
    ['is done if all events were delivered', [200, 204], ['delivered', 'delivered'], false],
    ['waits if nobody answers', ['lost', 'unsent'], ['waits', 'waits'], true],
    ['waits if the endpoint answers 500 to all of it', [500, 503], ['waits', 'waits'], true],
    ['continues after a single event gets 500', [200, 500, 200], ['delivered', 'retry', 'delivered'], false],
    ['continues after refused events', [400, 302, 200], ['retry', 'retry', 'delivered'], false],
    ['continues if its only event is refused', [422], ['retry'], false],
    [
      'waits if 20 events in a row are refused',
      Array.from({ length: 20 }, () => 404),
      Array.from({ length: 20 }, () => 'waits'),
      true,
    ],
    ['waits if the endpoint answers 410', [200, 410, 'unsent'], ['delivered', 'waits', 'waits'], true],
  ])('a batch %s', (_what, answers, decisions, stops) => {
    expect(evaluated(answers)).toMatchObject({ decisions, stops })
  })

  test('a batch stops if more than 1,000 events would wait for a retry', () => {
    expect(evaluated([200, 404], {}, { waiting: 999 })).toMatchObject({ stops: false })
    expect(evaluated([200, 404], {}, { waiting: 1_000 })).toMatchObject({
      stops: true,
      decisions: ['delivered', 'waits'],
    })
  })

  test('an event is given up after its tenth try', () => {
    expect(evaluated([404], {}, { tries: 8 }).decisions).toEqual(['retry'])
    expect(evaluated([404], {}, { tries: 9 }).decisions).toEqual(['exhausted'])
  })
})

describe('an endpoint', () => {
  test('an endpoint is failing after 5 failures in a row, and works again after a delivery', () => {
    let health: Health = healthy
    for (const status of ['enabled', 'enabled', 'enabled', 'enabled', 'failing', 'failing']) {
      health = evaluated([500], health).health
      expect(health.status).toBe(status)
    }
    expect(health).toMatchObject({ failures: 6, firstFailureAt: now, nextProbeAt: now + 30_000 })
    expect(evaluated([204], health).health).toEqual(healthy)
  })

  test('the wait that an endpoint asks for is respected, even after deliveries', () => {
    expect(evaluated([429], {}, { retryAfter: 60 }).health.nextProbeAt).toBe(now + 60_000)
    expect(evaluated([200, 429], {}, { retryAfter: 60 }).health).toMatchObject({
      failures: 0,
      nextProbeAt: now + 60_000,
    })
    expect(evaluated([200, 429]).health.nextProbeAt).toBe(now + 1_000)
    expect(evaluated([200, 503], {}, { retryAfter: 99_999 }).health.nextProbeAt).toBe(now + hour)
  })

  test('an endpoint is disabled at once by a 410, and after 5 days without a delivery by any failure', () => {
    expect(evaluated([410]).health).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
      failures: 1,
      lastFailureAt: now,
      nextProbeAt: null,
    })
    const failing = {
      failures: 50,
      status: 'failing',
      firstFailureAt: now - 5 * day,
      lastFailureAt: now - hour,
    } as const
    const given = { status: 'disabled', disabledReason: 'no_success', nextProbeAt: null }
    expect(evaluated(['lost'], failing).health).toMatchObject(given)
    expect(evaluated([404], failing).health).toMatchObject(given)
    expect(evaluated(['lost'], { ...failing, firstFailureAt: now - 4 * day }).health.status).toBe('failing')
    expect(evaluated([200], failing).health).toEqual(healthy)
  })

  test('an endpoint never skips an event, and after a delivery no event blocks it', () => {
    const answers = fc.array(fc.constantFrom<Answer>(200, 204, 302, 404, 410, 429, 500, 'lost', 'unsent'), {
      minLength: 1,
      maxLength: 50,
    })
    fc.assert(
      fc.property(answers, fc.integer({ min: 0, max: 1_100 }), (given, waiting) => {
        const { decisions, stops, health } = evaluated(given, {}, { waiting })
        const meanings = given.map((answer): AnswerMeaning | null =>
          answer === 'unsent' ? null : meaningOfStatus(answer === 'lost' ? null : answer),
        )
        for (const [index, decision] of decisions.entries()) {
          expect(decision === 'delivered').toBe(meanings[index] === 'delivered')
          if (meanings[index] === null) expect(decision).toBe('waits')
        }
        const works = meanings.includes('delivered')
        if (works && waiting < 950 && !meanings.includes('gone')) expect(stops).toBe(false)
        if (stops) expect(health.nextProbeAt !== null || health.status === 'disabled').toBe(true)
      }),
    )
  })
})
