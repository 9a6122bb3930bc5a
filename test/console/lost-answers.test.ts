import { expect, test } from 'vitest'
import { RepeatingTransport } from '../../console/src/api/lost-answers.ts'

type Answer = 'lost' | 'done' | { status: number; code: string }

/** Deletes a note with each answer of the server in turn. Returns what the person learns of each try. */
async function outcomes(isLimited: boolean, answers: Answer[]): Promise<string[]> {
  const left = [...answers]
  const send = async () => {
    const answer = left.shift() ?? 'done'
    if (answer === 'lost') throw new TypeError('terminated')
    if (answer === 'done') return new Response(null, { status: 204 })
    const { status, code } = answer
    return Response.json({ detail: 'Refused', code }, { status })
  }
  const scope = { name: crypto.randomUUID(), isLimited }
  const settings = { maxRetries: 0, pace: false, fetch: send } as const
  const transport = new RepeatingTransport(scope, 'https://crosswalk.example', { headers: {} }, settings)
  const asked = { method: 'DELETE', path: '/notes/1', shape: 'none', query: undefined, body: undefined }
  const learned: string[] = []
  for (const _ of answers)
    learned.push(
      await transport.send({ ...asked, options: {} }).then(
        () => 'gone',
        (error) => error.code ?? 'no answer',
      ),
    )
  return learned
}

const missing = { status: 404, code: 'object_not_found' }

test('an object that somebody else deleted is gone', async () => {
  expect(await outcomes(false, [missing])).toEqual(['gone'])
})

test('for a member with limited records, an object that is not found is gone only after a lost answer', async () => {
  expect(await outcomes(true, [missing])).toEqual(['object_not_found'])
  expect(await outcomes(true, ['lost', missing])).toEqual(['no answer', 'gone'])
  expect(await outcomes(true, ['lost', 'done', missing])).toEqual(['no answer', 'gone', 'object_not_found'])
})

test.each(['reference_not_found', 'path_not_found', 'invitation_unusable'])(
  'the refusal %s does not say that an object is gone',
  async (code) => {
    expect(await outcomes(false, [{ status: 404, code }])).toEqual([code])
  },
)
