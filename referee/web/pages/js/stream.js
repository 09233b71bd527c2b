// The stream of events from the table. One connection per page; closed while nobody looks, reopened with the id of
// the last event, so that nothing is missed and nothing is shown twice.

const STALE_AFTER_MS = 20_000;
const RETRY_MS = 2_000;

export class Stream {
  #source = null;
  #lastId = "";
  #lastEventAt = performance.now();
  #timer = 0;
  #said = "";
  #on;

  // on: { snapshot(view), verdict(verdict), view(view), link("live" | "stale" | "lost" | "bye") }
  constructor(on) {
    this.#on = on;
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.#open()));
    window.addEventListener("pagehide", () => this.#close());
    window.addEventListener("pageshow", (event) => event.persisted && this.#open());
    window.addEventListener("online", () => this.#open());
    setInterval(() => this.#watch(), 1_000);
    this.#open();
  }

  #open() {
    this.#close();
    const query = this.#lastId ? `?after=${encodeURIComponent(this.#lastId)}` : "";
    const source = new EventSource(`/events${query}`);
    source.addEventListener("snapshot", (event) => this.#heard(event, this.#on.snapshot));
    source.addEventListener("verdict", (event) => this.#heard(event, this.#on.verdict));
    source.addEventListener("view", (event) => this.#heard(event, this.#on.view));
    source.addEventListener("tick", (event) => this.#heard(event));
    source.addEventListener("bye", () => this.#leave("bye"));
    source.addEventListener("error", () => this.#failed(source));
    this.#source = source;
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #heard(event, listener) {
    this.#lastEventAt = performance.now();
    if (event.lastEventId) this.#lastId = event.lastEventId;
    this.#say("live");
    listener?.(JSON.parse(event.data));
  }

  // A browser reconnects by itself only after a broken connection, not after a refusal.
  #failed(source) {
    if (source.readyState === EventSource.CLOSED) this.#leave(this.#said === "bye" ? "bye" : "lost");
    else if (this.#said !== "bye") this.#say("lost");
  }

  #leave(state) {
    this.#close();
    this.#say(state);
    this.#timer = setTimeout(() => document.hidden || this.#open(), RETRY_MS);
  }

  #watch() {
    const silent = performance.now() - this.#lastEventAt > STALE_AFTER_MS;
    if (silent && !document.hidden && this.#said === "live") this.#say("stale");
  }

  #say(state) {
    if (state === this.#said) return;
    this.#said = state;
    this.#on.link(state);
  }
}
