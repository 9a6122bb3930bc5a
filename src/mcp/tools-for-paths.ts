/** Requests that error texts of the API name, and the tool that does the same. */
const tools: readonly [request: RegExp, tool: string][] = [
  [/POST \/deals\/[^\s/]+\/close or POST \/deals\/[^\s/]+\/reopen/g, 'set_deal_outcome'],
  [/POST \/deals\/[^\s/]+\/(?:close|reopen)/g, 'set_deal_outcome'],
  [/POST \/(?:contacts|companies|deals)\/[\w{}-]+\/restore/g, 'archive_records with archived: false'],
  [/(?:the list of )?GET \/deals\/stages/g, 'list_options about stages'],
  [/GET \/deals\/close-reasons(?:\?outcome=\w+)?/g, 'list_options about reasons'],
  [/GET \/owners/g, 'list_options about owners'],
  [/GET \/voice\/numbers/g, 'list_options about numbers'],
  [
    /(?:POST|PATCH) \/(contacts|companies|deals)(?:\/(?:batch|\{\w+\}|[\da-f-]{36}))?(?![\w/{}-])/g,
    'save_$1',
  ],
]

/** Replaces requests of the API in a text by the tools that send them, because a model can call only tools. */
export const withToolNames = (text: string): string =>
  tools.reduce((named, [request, tool]) => named.replace(request, tool), text)

/** Does the same in the errors of the items of a batch. */
export const withToolNamesIn = (items: unknown): unknown =>
  (items as { detail?: unknown }[]).map((item) =>
    typeof item.detail === 'string' ? { ...item, detail: withToolNames(item.detail) } : item,
  )
