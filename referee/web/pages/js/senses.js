// Sound, vibration, voice and the waking screen. Browsers allow sound only after a first tap.

import { currentLanguage } from "./texts.js";

const STORED = "wrongcard.senses";
const defaults = { sound: true, buzz: true, voice: false };

let context = null;
let wanted = { ...defaults, ...readStored() };

function readStored() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}");
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export const senses = () => ({ ...wanted });

export function setSense(name, on) {
  wanted = { ...wanted, [name]: on };
  localStorage.setItem(STORED, JSON.stringify(wanted));
}

export function wakeSenses() {
  document.addEventListener("pointerdown", unlock, { once: true });
  document.addEventListener("keydown", unlock, { once: true });
  document.addEventListener("visibilitychange", () => document.hidden || keepAwake());
  keepAwake();
}

function unlock() {
  context ??= new AudioContext();
  context.resume();
  keepAwake();
}

// Only secure pages may keep the screen on; on plain HTTP the phone's own setting counts.
async function keepAwake() {
  if (!("wakeLock" in navigator) || document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // low battery: the phone decides
  }
}

function tone(from, to, startS, lengthS, type, loudness) {
  const at = context.currentTime + startS;
  const oscillator = new OscillatorNode(context, { type, frequency: from });
  const gain = new GainNode(context, { gain: 0 });
  oscillator.frequency.exponentialRampToValueAtTime(to, at + lengthS);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loudness, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lengthS);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + lengthS + 0.05);
}

const MELODIES = {
  wrong: [[330, 294, 0, 0.28, "square", 0.16], [220, 165, 0.3, 0.6, "square", 0.16]],
  fits: [[392, 523, 0, 0.16, "sine", 0.25], [523, 659, 0.17, 0.3, "sine", 0.25]],
  seen: [[620, 880, 0, 0.09, "sine", 0.12]],
  won: [
    [523, 523, 0, 0.16, "triangle", 0.3],
    [659, 659, 0.17, 0.16, "triangle", 0.3],
    [784, 1047, 0.34, 0.6, "triangle", 0.3],
  ],
};
const BUZZES = { wrong: [220, 90, 220], fits: [80], won: [80, 60, 80, 60, 200] };

export function feel(what) {
  if (wanted.sound && context?.state === "running") MELODIES[what]?.forEach((note) => tone(...note));
  // Before the first tap a browser refuses to vibrate and says so in its console.
  if (wanted.buzz && BUZZES[what] && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZES[what]);
}

export function speak(text) {
  if (!wanted.voice || !("speechSynthesis" in window) || !text) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = currentLanguage();
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
