from tests.soundcard import sound_card

__all__ = ["sound_card"]
