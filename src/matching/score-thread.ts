import { workerData } from 'node:worker_threads'
import { scoreShard } from './score-pairs.ts'
import { answerShards, type Scoring } from './scoring.ts'

answerShards(workerData as Scoring, scoreShard)
