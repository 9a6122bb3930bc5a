import type { CallToolResult, InputRequiredResult, PromptMessage } from '@modelcontextprotocol/server'

export type Answer = CallToolResult | InputRequiredResult

type Content = PromptMessage['content']

// One red point as PNG, and one sample as WAV.
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA=='

const said = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

export const text = (words: string): CallToolResult => ({ content: [said(words)] })

const resources = [
  { uri: 'test://static-text', name: 'static text', description: 'A text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static binary', description: 'An image', mimeType: 'image/png' },
]

function read(uri: string) {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { uri, mimeType: 'application/json', text: data }
  }
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  return uri === 'test://static-binary' ? { uri, mimeType: 'image/png', blob: png } : null
}

/** The answers that the conformance suite expects, word for word. */
export const contents = {
  text: text('This is a simple text response for testing.'),
  image: { content: [image] } satisfies CallToolResult,
  audio: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] } satisfies CallToolResult,
  resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  } satisfies CallToolResult,
  mixed: {
    content: [
      said('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  } satisfies CallToolResult,
  ...{ said, resources, read },
}

/** The prompts that the conformance suite asks for by name. */
export const messages: Readonly<Record<string, (given: Record<string, string>) => Content[]>> = {
  test_simple_prompt: () => [said('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    said('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, said('Please analyze the image above.')],
}
