// The browser of the tests, and what every page of the console has to keep to.
import { chromium } from "playwright-core";

/**
 * Newer browsers keep some pages from this machine by themselves. The server must not need that.
 */
const UNHELPED = "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests";

/** Starts the browser, with more flags. */
export function launch(...flags) {
  return chromium.launch({
    executablePath: process.env.MONOTABLE_CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      UNHELPED,
      ...flags,
    ],
  });
}
