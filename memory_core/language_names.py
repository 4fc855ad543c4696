"""What languages are called in a prompt and in a message. Detects none; `extract.language` does."""

from __future__ import annotations

# Names as a prompt gives them; a code that is missing here is given to the model as it is.
NAMES = {
    "en": "English",
    "ja": "Japanese",
    "zh": "Chinese",
    "ko": "Korean",
    "ru": "Russian",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "pt": "Portuguese",
    "it": "Italian",
    "nl": "Dutch",
}


def language_name(language: str) -> str:
    """What to call a language in a prompt; a free-text setting stays as it is."""
    return NAMES.get(language.lower(), language)
