/** Asks the engines' thread. It begins with the first question, and is kept. */

import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type ApiProblem, problemFrom, unreachable } from '../api/problem.ts'
import { language } from '../language.ts'
import type { Answer, Asked, Question } from './answers.ts'
import type { Letter } from './engines.worker.ts'

const waiting = new Map<number, { resolve(answer: never): void; reject(reason: unknown): void }>()
let worker: Worker | undefined
let lastId = 0

export function ask<Q extends Question>(question: Q, asked: Asked<Q>): Promise<Answer<Q>> {
  worker ??= start()
  const id = ++lastId
  const { promise, resolve, reject } = Promise.withResolvers<Answer<Q>>()
  waiting.set(id, { resolve, reject })
  worker.postMessage({ id, question, asked } satisfies Letter)
  return promise
}

function start(): Worker {
  // The build puts the file's name into the page.
  const path = document.querySelector<HTMLMetaElement>('meta[name=engines]')?.content ?? ''
  const started = new Worker(path, { type: 'module', name: language })
  started.onmessage = ({
    data: { id, answer, fault },
  }: MessageEvent<{ id: number; answer: never; fault?: string }>) => {
    if (fault === undefined) waiting.get(id)?.resolve(answer)
    else waiting.get(id)?.reject(new Error(fault))
    waiting.delete(id)
  }
  // The file is gone: what waits fails, and the next question starts over.
  started.onerror = () => {
    for (const { reject } of waiting.values()) reject(unreachable())
    waiting.clear()
    started.terminate()
    worker = undefined
  }
  return started
}

export interface Asking<Q extends Question> {
  /** The answer to the newest question that was answered. */
  answer: Signal<Answer<Q> | undefined>
  /** Whether the answer is that of the newest question. */
  isAnswered: Signal<boolean>
  /** Why the newest question has no answer. */
  problem: Signal<ApiProblem | undefined>
  /** Asks the newest question again. */
  again(): Promise<void>
}

/**
 * Asks whenever the question changes. One question is under way at a time, and only the newest waits behind it.
 *
 * @param asked compared by identity; undefined while there is nothing to ask
 */
export function useAnswer<Q extends Question>(question: Q, asked: Asked<Q> | undefined): Asking<Q> {
  const answer = useSignal<Answer<Q> | undefined>(undefined)
  const isAnswered = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const newest = useRef(asked)
  const isAsking = useRef(false)
  newest.current = asked
  async function again(): Promise<void> {
    isAnswered.value = false
    if (isAsking.current) return
    isAsking.current = true
    for (let done: unknown; newest.current !== undefined && newest.current !== done; ) {
      const now = newest.current
      done = now
      try {
        answer.value = await ask(question, now)
        isAnswered.value = newest.current === now
        if (newest.current === now) problem.value = undefined
      } catch (error) {
        if (newest.current === now) problem.value = problemFrom(error)
      }
    }
    isAsking.current = false
  }

  useLayoutEffect(() => void again(), [asked])
  return { answer, isAnswered, problem, again }
}
