"""Reads windows, and answers with the offsets and instants of Python's own zone rules: an implementation that shares nothing with the one under test."""

import json
import sys
from datetime import datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)
END = datetime(2031, 1, 1, tzinfo=timezone.utc)
MINUTE = timedelta(minutes=1)
# Files of the zone database that name no place.
NO_ZONES = {"Factory", "localtime"}


def milliseconds(instant):
    return (instant - EPOCH) // timedelta(milliseconds=1)


def offset(zone, instant):
    return instant.astimezone(zone).utcoffset()


def transitions(zone):
    """Finds each instant at which the clock changes, by halving days in which the offset is not the same at both ends."""
    found, at, before = [], BEGIN, offset(zone, BEGIN)
    while at < END:
        following = at + timedelta(days=1)
        low, high = at, following
        after = offset(zone, following)
        if before != after:
            while high - low > MINUTE:
                middle = low + (high - low) // 2
                middle -= timedelta(seconds=middle.second, microseconds=middle.microsecond)
                if middle <= low:
                    break
                low, high = (low, middle) if offset(zone, middle) != offset(zone, low) else (middle, high)
            found.append(high)
        at, before = following, after
    return found


def instant_of(zone, day, clock):
    """The first instant of a reading; fold=0 takes the offset before a change, which moves a missing reading forward."""
    hours, minutes = (int(part) for part in clock.split(":"))
    reading = datetime(day.year, day.month, day.day) + timedelta(hours=hours, minutes=minutes)
    return reading.replace(tzinfo=zone, fold=0).astimezone(timezone.utc)


def clock_of(text):
    return time(*(int(part) for part in text.split(":")))


def opening(zone, windows, at):
    """Tries every day around, and takes the earliest instant at which one of their windows is open."""
    best = None
    today = at.astimezone(zone).date()
    for delta in range(-3, 10):
        day = today + timedelta(days=delta)
        if day.isoweekday() not in windows["days"]:
            continue
        over_midnight = windows["until"] <= windows["from"]
        opens = instant_of(zone, day, windows["from"])
        closes = instant_of(zone, day + timedelta(days=1) if over_midnight else day, windows["until"])
        if closes <= opens:
            length = datetime.combine(day, clock_of(windows["until"])) - datetime.combine(day, clock_of(windows["from"]))
            closes = opens + length + (timedelta(days=1) if over_midnight else timedelta())
        candidate = max(at, opens)
        if candidate < closes and (best is None or candidate < best):
            best = candidate
    return best


def openings(zone, changes, asked):
    rows = []
    for change in changes:
        for hours in asked["hours"]:
            at = change + timedelta(hours=hours)
            for index, windows in enumerate(asked["windows"]):
                rows.append([milliseconds(at), index, milliseconds(opening(zone, windows, at))])
    return rows


def main():
    asked = json.load(sys.stdin)
    answers = []
    # Most zones share the offsets of others, and with them their openings.
    known = {}
    for name in sorted(available_timezones() - NO_ZONES):
        zone = ZoneInfo(name)
        changes = transitions(zone)
        around = [change + timedelta(hours=hours) for change in changes for hours in range(-48, 49, 12)]
        offsets = [[milliseconds(at), -1, offset(zone, at) // timedelta(milliseconds=1)] for at in around]
        same = str(offsets)
        if same not in known:
            known[same] = openings(zone, changes, asked)
        answers.append([name, known[same] + offsets])
    json.dump(answers, sys.stdout)


main()
