import { afterAll, describe, expect, test } from 'vitest'
import { type RecordedCase, recordedCases } from '../fixtures/fastapi-422.ts'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
// Use an agency, because every key of the recorded application could create agency keys.
const org = await app.newOrg({ isAgency: true })

const cases = ['apikeys-body', 'json-decode', 'content-type-lax']
  .flatMap((group) => recordedCases(group))
  .filter(({ path }) => path === '/v1/api-keys')

/** Crosswalk's answers to the requests for which the recorded application failed with 500. */
const brokenThere: Record<string, object> = {
  '{"name": NaN}': { type: 'json_invalid', loc: ['body', 9] },
  '{"name": "\\ud800"}': { type: 'string_unicode', loc: ['body', 'name'] },
}

const bodyOf = ({ body }: RecordedCase) => body?.toString('latin1') ?? 'no body'

const refused = (body: object): [number, unknown] => [422, { ...body, code: 'validation_failed' }]

/** A recorded refusal of a content type, with the detail that Crosswalk adds. */
const withContentType = (response: unknown) => ({
  detail: (response as { detail: object[] }).detail.map((problem) => ({
    ...problem,
    ctx: { expected: expect.stringContaining('Content-Type: application/json') },
  })),
})

const explainedTypes = ['missing', 'model_attributes_type', 'json_invalid']

/** The details of a refusal without the texts that Crosswalk adds about what to send. */
const withoutAdvice = (body: { detail?: unknown }) =>
  Array.isArray(body.detail)
    ? {
        ...body,
        detail: body.detail.map(({ ctx, ...problem }: { type: string; ctx?: Record<string, unknown> }) => {
          if (!ctx || !explainedTypes.includes(problem.type)) return ctx ? { ...problem, ctx } : problem
          const { expected: _advice, ...rest } = ctx
          return Object.keys(rest).length > 0 ? { ...problem, ctx: rest } : problem
        }),
      }
    : body

/** The expected status and JSON for a recorded answer. For a creation, Crosswalk answers 201 with more members. */
function expected({ status, response, ...sent }: RecordedCase): [number, unknown] {
  if (status === 422 && sent.group === 'content-type-lax') return refused(withContentType(response))
  if (status === 200) return [201, expect.objectContaining(response as object)]
  if (status === 500)
    return refused({ detail: [expect.objectContaining(brokenThere[bodyOf(sent as RecordedCase)])] })
  return refused(response as object)
}

describe('recorded answers of a FastAPI application', () => {
  test('the server answers at /v1/api-keys exactly as a recorded FastAPI application did, in cases of all kinds', () => {
    expect([...new Set(cases.map(({ status }) => status))].sort()).toEqual([200, 422, 500])
    expect(cases.length).toBeGreaterThan(30)
  })

  test.each(
    cases.map((each) => [`${each.group}: ${JSON.stringify(bodyOf(each).slice(0, 80))}`, each] as const),
  )('the recorded answer is reproduced: %s', async (_name, recorded) => {
    const { method, path, headers, body } = recorded
    const raw = body ? { raw: new Uint8Array(body) } : {}
    const answer = await org.send(method, path, { prefix: '', headers, ...raw })
    const shown = recorded.group === 'json-decode' ? withoutAdvice(answer.body) : answer.body
    expect([answer.status, shown]).toEqual(expected(recorded))
  })
})
