import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { jwtVerify } from 'jose'
import { type Row, SalesforceOrg } from './salesforce-org.ts'
import { type ReceivedRequest, StandInServer, type StubAnswer } from './server.ts'

/** An error answer in the format of the REST API. */
export const apiError = (
  status: number,
  errorCode: string,
  message: string,
  retryAfter?: number,
): StubAnswer => ({
  status,
  body: [{ message, errorCode }],
  ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
})
export const tooMany = (retryAfter?: number): StubAnswer =>
  apiError(429, 'REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests Limit exceeded.', retryAfter)
export const limitExceeded = (): StubAnswer =>
  apiError(403, 'REQUEST_LIMIT_EXCEEDED', 'ConcurrentPerOrgLongTxn Limit exceeded.')

export const rowFault = (statusCode: string, message: string, fields: string[] = []) => ({
  ...{ statusCode, message, fields },
})
export const locked = rowFault('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record')

type RefreshCredentials = { client_id: string; client_secret: string; refresh_token: string }
type KeyCredentials = { client_id: string; username: string; private_key: string }

/** A stand-in for Salesforce's sign-in and REST API, with any number of orgs. */
export class SalesforceStandIn {
  readonly server = new StandInServer((request) => this.#handle(request))
  readonly signInRefusals: StubAnswer[] = []
  readonly #refreshTokens = new Map<string, { org: SalesforceOrg; secret: string; client: string }>()
  readonly #apps = new Map<string, { org: SalesforceOrg; publicKey: string; username: string }>()
  readonly #sessions = new Map<string, SalesforceOrg>()
  readonly #instances: StandInServer[] = []
  #made = 0

  static async start(): Promise<SalesforceStandIn> {
    const standIn = new SalesforceStandIn()
    await standIn.server.listen()
    return standIn
  }

  async close(): Promise<void> {
    for (const server of [this.server, ...this.#instances]) await server.close()
  }

  /** Serves one org at an address of its own, like a My Domain. Faults of this server affect only this org. */
  async serve(org: SalesforceOrg): Promise<StandInServer> {
    const server = new StandInServer((request) => this.#handle(request))
    await server.listen()
    this.#instances.push(server)
    org.instanceUrl = server.url
    return server
  }

  newOrg(): { org: SalesforceOrg; credentials: RefreshCredentials } {
    const org = new SalesforceOrg()
    return { org, credentials: this.newRefreshToken(org) }
  }

  newRefreshToken(org: SalesforceOrg): RefreshCredentials {
    const number = ++this.#made
    const credentials = {
      client_id: `3MVG9.consumer-key-${number}`,
      client_secret: `CONSUMER-SECRET-${number}-planted`,
      refresh_token: `5Aep861.REFRESH-TOKEN-${number}-planted`,
    }
    const { client_id: client, client_secret: secret, refresh_token: token } = credentials
    this.#refreshTokens.set(token, { org, secret, client })
    return credentials
  }

  /** Creates an app, and authorizes a user for it. */
  newApp(org: SalesforceOrg): KeyCredentials {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const client_id = `3MVG9.app-${++this.#made}`
    const username = `integration${this.#made}@example.com`
    this.#apps.set(client_id, { org, publicKey, username })
    return { client_id, username, private_key: privateKey }
  }

  revoke({ refresh_token: token }: RefreshCredentials): void {
    this.#refreshTokens.delete(token)
  }

  expire(org: SalesforceOrg): void {
    for (const [token, of] of this.#sessions) if (of === org) this.#sessions.delete(token)
  }

  /** A token in the form that a sign-in returns. */
  tokenFor(org: SalesforceOrg): string {
    const token = `${org.id}!AQ.ACCESS_TOKEN.${++this.#made}.planted`
    this.#sessions.set(token, org)
    return token
  }

  async #handle(request: ReceivedRequest): Promise<StubAnswer> {
    if (request.path === '/services/oauth2/token') return this.#signIn(new URLSearchParams(request.body))
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const org = this.#sessions.get(token)
    if (!org) return apiError(401, 'INVALID_SESSION_ID', 'Session expired or invalid')
    // Duplicate rules ignore other records of the same save.
    const comparable = org.matchesAddresses ? structuredClone(org.records) : {}
    if (org.saveMs > 0) await delay(org.saveMs)
    org.comparable = comparable
    const { status, body, headers } = answerOf(org, request)
    const usage = `api-usage=${++org.usedRequests}/${org.mostRequests}`
    return { status, body, headers: { ...headers, 'sforce-limit-info': usage } }
  }

  async #signIn(form: URLSearchParams): Promise<StubAnswer> {
    const refusal = this.signInRefusals.shift()
    if (refusal) return refusal
    const refuse = (error: string, error_description: string): StubAnswer => ({
      status: 400,
      body: { error, error_description },
    })
    const grant = form.get('grant_type')
    if (grant === 'refresh_token') {
      const known = this.#refreshTokens.get(form.get('refresh_token') ?? '')
      if (!known) return refuse('invalid_grant', 'expired access/refresh token')
      if (known.client !== form.get('client_id'))
        return refuse('invalid_client_id', 'client identifier invalid')
      if (known.secret !== form.get('client_secret'))
        return refuse('invalid_client', 'invalid client credentials')
      const said = this.#admit(known.org)
      if (!known.org.rotatesTokens) return said
      this.#refreshTokens.delete(form.get('refresh_token')!)
      const refresh_token = `5Aep861.REFRESH-TOKEN-${++this.#made}-planted`
      this.#refreshTokens.set(refresh_token, known)
      return { ...said, body: { ...(said.body as object), refresh_token } }
    }
    if (grant !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return refuse('unsupported_grant_type', 'grant type not supported')
    const assertion = form.get('assertion') ?? ''
    const { iss } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString() || '{}')
    const app = this.#apps.get(iss)
    if (!app) return refuse('invalid_client_id', 'client identifier invalid')
    try {
      const key = createPublicKey(app.publicKey)
      const { payload } = await jwtVerify(assertion, key, { algorithms: ['RS256'], requiredClaims: ['exp'] })
      if (payload.aud !== this.server.url) return refuse('invalid_grant', 'audience is invalid')
      if (payload.exp! > Date.now() / 1000 + 300) return refuse('invalid_grant', 'expiry is too far ahead')
      if (payload.sub !== app.username) return refuse('invalid_grant', "user hasn't approved this consumer")
    } catch {
      return refuse('invalid_grant', 'invalid assertion')
    }
    return this.#admit(app.org)
  }

  /** A token in the form of jsforce's TokenResponse (src/oauth2.ts). */
  #admit(org: SalesforceOrg): StubAnswer {
    org.signIns++
    return {
      status: 200,
      body: {
        ...{ access_token: this.tokenFor(org), token_type: 'Bearer', scope: 'api refresh_token' },
        ...{ instance_url: org.instanceUrl ?? this.server.url, signature: 'c2lnbmF0dXJl' },
        ...{ id: `${this.server.url}/id/${org.id}/005000000000001AAA`, issued_at: String(Date.now()) },
      },
    }
  }
}

function answerOf(org: SalesforceOrg, { method, path, query, headers, body }: ReceivedRequest): StubAnswer {
  const [, rest = ''] = /^\/services\/data\/v\d+\.0\/(.+)$/.exec(path) ?? []
  if (rest === 'query') return selected(org, query.get('q') ?? '')
  const [, name = ''] = /^(?:composite\/)?sobjects\/(\w+)/.exec(rest) ?? []
  const object = org.objects[name]
  const notFound = apiError(404, 'NOT_FOUND', 'The requested resource does not exist')
  if (!object) return notFound
  if (rest === `sobjects/${name}/describe`)
    return { status: 200, body: { name, label: name, keyPrefix: null, childRelationships: [], ...object } }
  if (method === 'GET') {
    const record = org.records[name]!.find(({ Id }) => rest === `sobjects/${name}/${Id}`)
    return record ? { status: 200, body: { attributes: { type: name }, ...record } } : notFound
  }
  if (method === 'POST' && rest === `composite/sobjects/${name}`) return retrieved(org, name, body)
  if (method !== 'PATCH') return apiError(405, 'METHOD_NOT_ALLOWED', `HTTP Method '${method}' not allowed.`)
  const refusal = org.refusals.shift()
  if (refusal) return refusal
  const allowSave = /allowSave=true/.test(String(headers['sforce-duplicate-rule-header']))
  const [, key = '', value] =
    /^composite\/sobjects\/\w+\/([^/]+)$|^sobjects\/\w+\/([^/]+)\/([^/]+)$/.exec(rest)?.filter(Boolean) ?? []
  const keyField = object.fields.find((each) => each.name === decodeURIComponent(key))
  if (!keyField?.externalId)
    return apiError(
      404,
      'NOT_FOUND',
      `Provided external ID field does not exist or is not accessible: ${key}`,
    )
  let sent: { allOrNone?: boolean; records?: Record<string, unknown>[] }
  try {
    sent = JSON.parse(body)
  } catch {
    return apiError(400, 'JSON_PARSER_ERROR', 'Unexpected end-of-input')
  }
  if (value !== undefined) return upsertOne(org, name, key, { ...sent, [key]: value }, allowSave)
  const records = (sent.records ?? []).map(({ attributes, ...record }): Record<string, unknown> => {
    const type = (attributes as { type?: string } | undefined)?.type
    return { ...record, ...(type === name ? {} : { attributes: type }) }
  })
  if (records.length === 0 || records.length > 200)
    return apiError(400, 'EXCEEDED_ID_LIMIT', 'record limit reached. cannot submit more than 200 records')
  const malformed = malformedOf(org, name, records)
  if (malformed) return malformed
  org.batches.push(records.length)
  const seen = new Set<unknown>()
  const rows = records.map((record): Row => {
    const isTwice = seen.size === seen.add(record[key]).size
    const fault = rowFault('DUPLICATE_VALUE', `Duplicate external id specified: ${record[key]}`, [key])
    return isTwice ? { success: false, errors: [fault] } : org.upsert(name, key, record, allowSave)
  })
  return { status: 200, body: rows }
}

/** Reads records by id; an unknown id gives null (resources_composite_sobjects_collections_retrieve). */
function retrieved(org: SalesforceOrg, name: string, body: string): StubAnswer {
  const { ids, fields } = JSON.parse(body) as { ids: string[]; fields: string[] }
  const of = (id: string) => {
    const record = org.records[name]!.find(({ Id }) => Id === id)
    const values = fields.map((field) => [field, record?.[field] ?? null])
    return record ? { attributes: { type: name }, ...Object.fromEntries(values) } : null
  }
  return { status: 200, body: ids.map(of) }
}

/** One invalid value makes Salesforce's parser refuse the whole request. */
function malformedOf(
  org: SalesforceOrg,
  name: string,
  records: Record<string, unknown>[],
): StubAnswer | null {
  for (const [member, value] of records.flatMap(Object.entries)) {
    const field = org.fieldOf(name, member)
    if (!field) return apiError(400, 'INVALID_FIELD', `No such column '${member}' on sobject of type ${name}`)
    if (field.type === 'double' && typeof value === 'string' && Number.isNaN(Number(value)))
      return apiError(
        400,
        'JSON_PARSER_ERROR',
        `Cannot deserialize instance of double from VALUE_STRING value ${value} or request may be missing a required field at [line:1, column:99]`,
      )
  }
  return null
}

function upsertOne(
  org: SalesforceOrg,
  name: string,
  key: string,
  record: Record<string, unknown>,
  allowSave: boolean,
): StubAnswer {
  const row = org.upsert(name, key, record, allowSave)
  const [fault] = row.errors
  if (!fault) return { status: row.created ? 201 : 200, body: row }
  return {
    status: 400,
    body: [{ errorCode: fault.statusCode, message: fault.message, fields: fault.fields }],
  }
}

/** Answers a query: `SELECT … FROM object [WHERE field = 'text']`. */
function selected(org: SalesforceOrg, soql: string): StubAnswer {
  const [, names = '', object = '', where, value] =
    /^SELECT (.+?) FROM (\w+)(?: WHERE (\w+) = '([^']*)')?/i.exec(soql) ?? []
  if (!org.records[object]) return apiError(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
  const found = org.records[object].filter((record) => where === undefined || record[where] === value)
  const records = found.map((record) => ({
    attributes: { type: object, url: `/services/data/v67.0/sobjects/${object}/${record.Id}` },
    ...Object.fromEntries(names.split(/, */).map((name) => [name, record[name] ?? null])),
  }))
  return { status: 200, body: { totalSize: records.length, done: true, records } }
}
