import { workerData } from 'node:worker_threads'
import { answerShards, type Scoring } from '../matcher/scoring.ts'
import { likelyOf } from './likely-pairs.ts'

// One thread of `likelyPairs`.
answerShards(workerData as Scoring, likelyOf)
