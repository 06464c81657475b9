"""The model store: weights by name, from wherever the same bytes are to be had, verified whatever the source."""

from __future__ import annotations

from voiceprep.speech.models.assets import ASSETS, Asset, AssetFile, all_assets, asset_named
from voiceprep.speech.models.sources import Progress
from voiceprep.speech.models.store import Place, Store, find_model, get_model

__all__ = [
    "ASSETS",
    "Asset",
    "AssetFile",
    "Place",
    "Progress",
    "Store",
    "all_assets",
    "asset_named",
    "find_model",
    "get_model",
]
