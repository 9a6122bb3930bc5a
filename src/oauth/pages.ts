import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { appPermissions } from '../connected-apps/permissions.ts'
import { networkOf } from '../platform/client-network.ts'
import type { Context } from '../platform/context.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { invalid, notFound } from '../platform/domain-error.ts'
import { BadEncoding, bodyInput } from '../platform/http/json-body.ts'
import { ValidationError } from '../platform/http/validation.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { RegistrationRefused, registerClient } from './clients.ts'
import { paths, scopes } from './names.ts'
import { forNetwork } from './network.ts'

const config = { public: true }
const documentHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }
const registrationBytes = 56 * 1024
/** The maximum size of a form and of a query: a sign-in in progress is stored with its parameters. */
const formBytes = 8 * 1024
/**
 * Parameters that the library parses as addresses. Parsing a long address takes long, and registered addresses are
 * never longer than `addressMax`.
 */
const addresses: ReadonlySet<string> = new Set(['client_id', 'redirect_uri', 'resource'])
const addressMax = 2_000

export type OauthParts = { context: Context; scope: SystemScope; server: AuthorizationServer }

/**
 * Serves the authorization server of the tool server: the metadata (RFC 8414, RFC 9728), the registration of clients
 * (RFC 7591), and the endpoints of OAuth.
 */
export function serveOauth(server: FastifyInstance, parts: OauthParts): void {
  serveMetadata(server, parts)
  server.post(paths.registration, { config, bodyLimit: registrationBytes }, async (request, reply) => {
    issuerOf(parts, request)
    await parts.context.countAnonymous(request, reply)
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    if (!parts.context.config.oauthRegistration)
      return reply.code(403).send({
        error: 'access_denied',
        error_description: 'This server registers no apps; ask its operator',
      })
    try {
      return reply
        .code(201)
        .send(await registerClient(parts.scope, metadataIn(request), networkOf(request.ip)))
    } catch (error) {
      if (!(error instanceof RegistrationRefused)) throw error
      const status = error.code === 'temporarily_unavailable' ? 429 : 400
      return reply.code(status).send({ error: error.code, error_description: error.message })
    }
  })
  for (const url of [
    paths.authorization,
    `${paths.authorization}/:uid`,
    paths.token,
    paths.revocation,
    paths.jwks,
  ])
    server.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url,
      config,
      bodyLimit: formBytes,
      handler: (request, reply) => pass(request, reply, parts),
    })
}

/** Hands a request with its body to the library, which answers it. */
async function pass(request: FastifyRequest, reply: FastifyReply, parts: OauthParts): Promise<FastifyReply> {
  const issuer = issuerOf(parts, request)
  await parts.context.countAnonymous(request, reply)
  checkParameters(request)
  const { protocol, host } = new URL(issuer)
  const { raw } = request
  // Addresses in answers begin with the issuer, even if a proxy changed the request.
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = host
  const type = request.headers['content-type']
  if (type === 'application/octet-stream') raw.headers['content-type'] = 'application/x-www-form-urlencoded'
  const provider = await parts.server.provider(issuer)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value as string)
  forNetwork(networkOf(request.ip), () => provider.callback()(withBody(raw, request.body), reply.raw))
  return reply
}

/** @throws DomainError invalid if a parameter has NUL, which PostgreSQL does not store, or is too long */
function checkParameters({ raw, body }: FastifyRequest): void {
  const sent = body instanceof Buffer ? body.toString('latin1') : ''
  const [, query = ''] = /\?(.*)$/.exec(raw.url ?? '') ?? []
  if (/%00|\0/.test(`${query}\n${sent}`))
    throw invalid('malformed_request', 'A parameter contains the character NUL; send it without')
  if (query.length > formBytes)
    throw invalid('malformed_request', `The parameters have more than ${formBytes} characters; send fewer`)
  for (const [name, value] of new URLSearchParams(`${query}&${sent}`))
    if (addresses.has(name) && value.length > addressMax)
      throw invalid('malformed_request', `${name} has more than ${addressMax} characters; send a shorter one`)
}

/**
 * The request in the form that the library reads. Its body was received within Crosswalk's limits, and can be read
 * again.
 */
function withBody(
  { headers, method, url, socket, httpVersion }: IncomingMessage,
  body: unknown,
): IncomingMessage {
  const pieces = body instanceof Buffer && body.length > 0 ? [body] : []
  return Object.assign(Readable.from(pieces), { headers, method, url, socket, httpVersion }) as never
}

function serveMetadata(server: FastifyInstance, parts: OauthParts): void {
  for (const suffix of ['', '/mcp', '/mcp/:org_id']) {
    server.get(`/.well-known/oauth-protected-resource${suffix}`, { config }, async (request, reply) => {
      const issuer = issuerOf(parts, request)
      const { org_id: orgId } = request.params as { org_id?: string }
      return reply.headers(documentHeaders).send({
        resource: orgId === undefined ? `${issuer}/mcp` : `${issuer}/mcp/${encodeURIComponent(orgId)}`,
        resource_name: 'Crosswalk',
        authorization_servers: [issuer],
        scopes_supported: appPermissions.filter((permission) => permission.endsWith(':read')),
        bearer_methods_supported: ['header'],
      })
    })
    server.get(`/.well-known/oauth-authorization-server${suffix}`, { config }, async (request, reply) =>
      reply
        .headers(documentHeaders)
        .send(metadataOf(issuerOf(parts, request), parts.context.config.oauthRegistration)),
    )
  }
}

const metadataOf = (issuer: string, registers: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}${paths.authorization}`,
  token_endpoint: `${issuer}${paths.token}`,
  revocation_endpoint: `${issuer}${paths.revocation}`,
  jwks_uri: `${issuer}${paths.jwks}`,
  ...(registers ? { registration_endpoint: `${issuer}${paths.registration}` } : {}),
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

function issuerOf({ server }: OauthParts, request: FastifyRequest): string {
  const issuer = server.issuerOf(request)
  if (issuer === null)
    throw notFound(
      'path_not_found',
      'Apps can sign in over https only: set PUBLIC_URL to the https address of this server',
    )
  return issuer
}

/** @throws RegistrationRefused if the body is not JSON */
function metadataIn({ body, headers }: FastifyRequest): unknown {
  try {
    return bodyInput(body as Buffer | undefined, headers['content-type'])
  } catch (error) {
    if (!(error instanceof ValidationError || error instanceof BadEncoding)) throw error
    throw new RegistrationRefused('invalid_client_metadata', 'the body: send an object of JSON in UTF-8')
  }
}
