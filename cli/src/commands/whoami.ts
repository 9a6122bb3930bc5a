import type { Command } from '../command.ts'

export const whoami: Command = {
  name: 'whoami',
  args: [],
  summary: 'Show the organization and the permissions of the API key, and where the key comes from',
  prints: {
    members: [
      ...['organization', 'org_id', 'acting_on', 'acting_on_id', 'mode', 'permissions'],
      ...['api_key', 'api_key_id', 'base_url', 'key_from'],
    ],
  },
  async run(context) {
    const { baseUrl, keySource } = context.access
    const { org, key, mode, permissions, acting_on } = await context
      .client()
      .organization.get({ signal: context.io.signal })
    await context.result.value({
      organization: org.name,
      org_id: org.org_id,
      ...(acting_on.org_id === org.org_id
        ? {}
        : { acting_on: acting_on.name, acting_on_id: acting_on.org_id }),
      mode,
      permissions: permissions ?? ['all'],
      api_key: key?.name ?? null,
      api_key_id: key?.api_key_id ?? null,
      base_url: baseUrl,
      key_from: keySource,
    })
    return undefined
  },
}
