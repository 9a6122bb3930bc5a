import { Code } from '../parts/code.tsx'
import { type CurlOptions, curl } from '../parts/curl.ts'
import { useScope } from './scope.tsx'

/** The command that sends a request about the open organization. For a client of an agency, it names the client. */
export function useCurl(): typeof curl {
  const { orgId, membership } = useScope()
  const target = membership.via === 'agency' ? { targetOrgId: orgId } : {}
  return (path, options) => curl(path, { ...target, ...options })
}

/** Lines that send a request about the open organization. */
export function CurlCode({ label, path, ...options }: CurlOptions & { label: string; path: string }) {
  return <Code label={label}>{useCurl()(path, options)}</Code>
}
