import { workerData } from 'node:worker_threads'
import { scoreShard } from './score-pairs.ts'
import { answerShards, type Scoring } from './scoring.ts'

// One thread of `scorePairs`.
answerShards(workerData as Scoring, scoreShard)
