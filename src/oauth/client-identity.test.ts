import { expect, test } from 'vitest'
import { identify } from './client-identity.ts'

const document = 'https://claude.ai/oauth/client.json'
const registered = '0198a000-0000-4000-8000-000000000000'

test.each([
  ['a known document and its own host', document, 'https://claude.ai/callback', 'verified', 'claude.ai'],
  [
    'a known document and another known host',
    document,
    'https://claude.com/callback',
    'verified',
    'claude.ai',
  ],
  ['a known document and a foreign host', document, 'https://evil.example/', 'unknown', 'claude.ai'],
  ['a known document and another port', document, 'https://claude.ai:8443/', 'unknown', 'claude.ai'],
  ['a known document and a host below', document, 'https://x.claude.ai/', 'unknown', 'claude.ai'],
  ['a known document and loopback', document, 'http://127.0.0.1:5000/', 'on_this_computer', 'claude.ai'],
  ['a known document and localhost', document, 'http://localhost/', 'on_this_computer', 'claude.ai'],
  [
    'a known document and loopback over https',
    document,
    'https://localhost/',
    'on_this_computer',
    'claude.ai',
  ],
  ['a known document and a scheme', document, 'cursor://anysphere/cb', 'on_this_computer', 'claude.ai'],
  ['a document on another port', 'https://claude.ai:1/c', 'https://claude.ai/', 'unknown', 'claude.ai:1'],
  ['an unknown document', 'https://evil.example/c', 'https://evil.example/', 'unknown', 'evil.example'],
  [
    'an unknown document, known host',
    'https://evil.example/c',
    'https://claude.ai/',
    'unknown',
    'evil.example',
  ],
  ['a registration with a known host', registered, 'https://claude.ai/callback', 'unknown', 'claude.ai'],
  ['a registration with loopback', registered, 'http://127.0.0.1/', 'on_this_computer', '127.0.0.1'],
  ['a registration with a scheme', registered, 'vscode:callback', 'on_this_computer', 'vscode:'],
])('an app with %s is identified', (_with, clientId, redirectUri, kind, host) => {
  expect(identify(clientId, redirectUri)).toMatchObject({ kind, host })
})
