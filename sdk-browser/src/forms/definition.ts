export type Field = {
  key: string
  label: string
  type: string
  required: boolean
  options: string[]
  hint: string | null
  autocomplete: string | null
}

export type Definition = {
  form_id: string
  title: string
  description: string
  fields: Field[]
  consent: { text: string; required: boolean } | null
  submit_label: string
  thank_you: { text: string; url: string | null }
  /** `<salt>.<bits>.<expiry>.<hmac>` */
  challenge: string
}

/** The server and the write key of the page. */
export type Place = { host: string; key: string }

/** Reads a form. @throws Error if the key, the site or the form is not accepted */
export async function readForm({ host, key }: Place, formId: string): Promise<Definition> {
  const answer = await fetch(`${host}f/${formId}/definition?writeKey=${key}`, { credentials: 'omit' })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.detail)
  return body
}

export type Sent = {
  answers: Record<string, unknown>
  consent?: boolean
  proof?: string
  honeypot?: string
}

/** Sends a form. @returns what is wrong, by the keys of the fields; empty: nothing */
export async function sendForm(
  { host, key }: Place,
  { form_id: formId, challenge }: Definition,
  sent: Sent,
): Promise<Record<string, string>> {
  // A content type of plain text needs no preflight.
  const answer = await fetch(`${host}f/${formId}/submissions`, {
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    body: JSON.stringify({
      ...sent,
      ...{ writeKey: key, challenge, pageUrl: location.href, anonymousId: visitorId() },
    }),
  })
  if (answer.ok) return {}
  const { detail } = await answer.json()
  if (!Array.isArray(detail)) throw new Error(detail)
  return Object.fromEntries(detail.map(({ loc, msg }) => [loc.at(-1), msg.replace(/^Value error, /, '')]))
}

/** The id that the script of events stored; null: none, or the visitor denied it. */
function visitorId(): string | null {
  try {
    return localStorage.getItem('cw_id')
  } catch {
    return null
  }
}

/** Solves the proof of work of a challenge. Empty: the page is not secure, so the browser has no SHA-256. */
export async function solve(challenge: string): Promise<string> {
  const bits = Number(challenge.split('.')[1])
  if (!crypto.subtle) return ''
  const encoder = new TextEncoder()
  for (let proof = 0; ; proof++) {
    const digest = await crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${proof}`))
    if (Math.clz32(new DataView(digest).getUint32(0)) >= bits) return String(proof)
  }
}
