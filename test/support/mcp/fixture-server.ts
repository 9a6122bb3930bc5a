import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Answer, contents, messages, text } from './fixture-answers.ts'

const codec = createRequestStateCodec<{ round: number }>({
  key: 'a key of at least 32 bytes for one test only',
})

type Call = { server: Server; context: ServerContext }
type FixtureTool = (call: Call) => Answer | Promise<Answer>

/** A form with one required text. */
const form = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
const sample = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  })

const responses = ({ context }: Call) => context.mcpReq.inputResponses
const answered = (call: Call, key: string) => inputResponse(responses(call), key).kind !== 'missing'
const roundOf = ({ context }: Call): number => context.mcpReq.requestState<{ round: number }>()?.round ?? 0

/** Asks with a sealed state until the person has answered the question of `key`. */
const askForm = async (call: Call, key: string, message: string, name: string, round: number) =>
  inputRequired({
    inputRequests: { [key]: form(message, name) },
    requestState: await codec.mint({ round }, call.context),
  })

/** The tools that the conformance suite calls by name. */
const tools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: () => contents.text,
  test_image_content: () => contents.image,
  test_audio_content: () => contents.audio,
  test_embedded_resource: () => contents.resource,
  test_multiple_content_types: () => contents.mixed,
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_logging_tool: () => text('nothing was logged'),
  test_tool_with_progress: async ({ context }) => {
    const { _meta, notify } = context.mcpReq
    for (const progress of [0, 50, 100])
      if (_meta?.progressToken !== undefined)
        await notify({
          method: 'notifications/progress',
          params: { progressToken: _meta.progressToken, progress, total: 100 },
        })
    return text('done')
  },
  test_missing_capability: ({ server }) => {
    if (server.getClientCapabilities()?.sampling === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return text('sampling is there')
  },
  test_streaming_elicitation: (call) =>
    answered(call, 'name') ? text('asked') : inputRequired({ inputRequests: { name: form('Who?', 'name') } }),
  test_input_required_result_elicitation: (call) => {
    const content = acceptedContent<{ name?: unknown }>(responses(call), 'user_name')
    return typeof content?.name === 'string'
      ? text(`Hello, ${content.name}!`)
      : inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } })
  },
  test_input_required_result_sampling: (call) =>
    answered(call, 'capital_question')
      ? text('sampled')
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } }),
  test_input_required_result_list_roots: (call) =>
    answered(call, 'client_roots')
      ? text(JSON.stringify(responses(call)))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  test_input_required_result_request_state: (call) =>
    roundOf(call) === 1 && answered(call, 'confirm')
      ? text('state-ok')
      : askForm(call, 'confirm', 'Please confirm', 'ok', 1),
  test_input_required_result_tampered_state: (call) =>
    roundOf(call) === 1 ? text('state-ok') : askForm(call, 'confirm', 'Please confirm', 'ok', 1),
  test_input_required_result_multiple_inputs: async (call) =>
    roundOf(call) === 1 && ['user_name', 'greeting', 'client_roots'].every((key) => answered(call, key))
      ? text('all')
      : inputRequired({
          inputRequests: {
            user_name: form('What is your name?', 'name'),
            greeting: sample('Generate a greeting'),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await codec.mint({ round: 1 }, call.context),
        }),
  test_input_required_result_multi_round: (call) => {
    if (roundOf(call) === 2 && answered(call, 'step2')) return text('all rounds')
    if (roundOf(call) === 1 && answered(call, 'step1'))
      return askForm(call, 'step2', 'Step 2: What is your favorite color?', 'color', 2)
    return askForm(call, 'step1', 'Step 1: What is your name?', 'name', 1)
  },
  test_input_required_result_capabilities: (call) => {
    const can = call.server.getClientCapabilities()
    if (responses(call) !== undefined) return text('answered')
    return inputRequired({
      inputRequests: {
        ...(can?.sampling ? { greeting: sample('Generate a greeting') } : {}),
        ...(can?.elicitation ? { user_name: form('What is your name?', 'name') } : {}),
      },
    })
  },
}

/** A server with the tools, prompts and resources of the conformance suite. It answers through Crosswalk's route. */
export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      requestState: { verify: codec.verify },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  }))
  server.setRequestHandler('tools/call', ({ params: { name } }, context) => {
    const tool = tools[name]
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`)
    return tool({ server, context })
  })
  server.setRequestHandler('resources/list', () => ({ resources: contents.resources }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'A template' },
    ],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = contents.read(uri)
    if (found === null) throw new ResourceNotFoundError(uri)
    return { contents: [found] }
  })
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...Object.keys(messages), 'test_input_required_result_prompt'].map((name) => ({
      name,
      description: name,
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, context) => {
    if (name === 'test_input_required_result_prompt') {
      const content = acceptedContent(context.mcpReq.inputResponses, 'user_context')
      if (content)
        return { messages: [{ role: 'user' as const, content: contents.said(JSON.stringify(content)) }] }
      return inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      })
    }
    const made = messages[name]
    if (!made) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}`)
    return { messages: made(given).map((content) => ({ role: 'user' as const, content })) }
  })
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  return server
}
