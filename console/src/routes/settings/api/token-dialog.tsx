import { useQuery } from '@tanstack/react-query'
import type { CreatedApiKey } from '../../../../../sdk/src/generated/types.ts'
import { Code } from '../../../parts/code.tsx'
import { curl } from '../../../parts/curl.ts'
import { OnceDialog } from '../../../parts/once-dialog.tsx'
import { Secret } from '../../../parts/secret.tsx'
import { State } from '../../../parts/state.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** Shows a token the only time that anyone sees it. */
export function TokenDialog({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const token = created.is_agency ? created.token : created.api_key_token
  return (
    <OnceDialog
      title="Copy the token now"
      reminder="Copy the token first, then tick “I have stored it”."
      onClose={onClose}
    >
      <p className="two">Nobody can see it again. If it is lost, rotate the key.</p>
      <Secret label={`${created.name}, ${created.mode}`} value={token} />
      <Code label="A request with the key">
        {`export CROSSWALK_KEY=svc_${created.mode}_…\n${curl('/organization')}`}
      </Code>
      <FirstUse apiKeyId={created.api_key_id} />
    </OnceDialog>
  )
}

/** Shows when the first request with the key arrived. */
function FirstUse({ apiKeyId }: { apiKeyId: string }) {
  const { api } = useScope()
  const { data } = useQuery({
    queryKey: ['api-key', apiKeyId],
    queryFn: ({ signal }) => api.apiKeys.get(apiKeyId, { signal }),
    refetchInterval: ({ state }) => (state.data?.last_used_at ? false : 2_000),
    gcTime: 0,
  })
  return (
    <p role="status">
      {data?.last_used_at ? (
        <State kind="ok">It works: the first request arrived</State>
      ) : (
        <State kind="run">Waiting for its first request</State>
      )}
    </p>
  )
}
