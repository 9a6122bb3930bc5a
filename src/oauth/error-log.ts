import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Log } from '../platform/log.ts'

/**
 * Logs faults of the authorization server, and requests that it refused. Parameters of requests can be codes and
 * tokens, so an entry has none of them except the client id.
 */
export function logErrors(provider: Provider, log: Log): void {
  const onRefusal = (ctx: KoaContextWithOIDC, { error, error_description, error_detail }: Refusal) => {
    const reasons = { error, description: error_description, detail: error_detail }
    log.info({ ...reasons, client_id: clientIdOf(ctx) }, 'the authorization server refused a request')
  }
  provider.on('authorization.error', onRefusal)
  provider.on('grant.error', onRefusal)
  provider.on('revocation.error', onRefusal)
  provider.on('server_error', (ctx, err) => {
    log.error({ err, path: ctx.path, client_id: clientIdOf(ctx) }, 'the authorization server failed')
  })
}

type Refusal = errors.OIDCProviderError

const clientIdOf = ({ oidc }: KoaContextWithOIDC): string | undefined => oidc?.client?.clientId.slice(0, 200)
